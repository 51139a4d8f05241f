import type { Item, SettingValue } from '@guild-settings/contract/settings';
import { sentences } from '@guild-settings/i18n';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { TextField } from '../design/inputs.tsx';
import { focusAround } from '../settings/setting.tsx';
import { readTyped, useField, useSettings, valueError } from '../settings/settings-context.ts';
import { itemText } from '../settings/value-text.ts';
import styles from './controls.module.css';
import { type ControlProps, rangeText } from './text-controls.tsx';

interface ListControlProps extends ControlProps {
  readonly help?: string;
  /** Returns the content before an item. */
  readonly startOf?: (item: Item) => ReactNode;
}

/** A list of texts, numbers or other typed values. */
export function ListControl({ setting, help, startOf }: ListControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { t } = words;
  const { set, value, texts } = useField();
  const [typed, setTyped] = useState('');
  const one = { ...setting, many: undefined };
  const items = value as readonly Item[];
  const isFull = setting.many !== undefined && items.length >= setting.many.max;
  const item = readTyped(one, typed.trim(), words);
  const typedError = typed.trim() === '' ? undefined : valueError(one, item, { guild, words });
  /** True: the text was to be added before it could be read. */
  const isAwaited = useRef(false);
  const add = () => {
    isAwaited.current = words.unread !== undefined;
    if (typed.trim() === '' || typedError !== undefined || isFull) return;
    if (!items.includes(item as Item)) set([...items, item] as SettingValue);
    setTyped('');
  };
  const addAwaited = useEffectEvent(() => isAwaited.current && add());
  useEffect(() => {
    if (words.unread === undefined) addAwaited();
  }, [words.unread]);
  /** An added item moves the page. Without the wait, it would move during a click, which would then miss. */
  const onBlur = () => {
    if (document.querySelector(':active') === null) return add();
    addEventListener('mouseup', add, { once: true, capture: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The key that ends an input method's composition is not meant for the form.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return;
    event.preventDefault();
    add();
  };
  const hint = isFull ? t('list.full', { count: items.length }) : (help ?? rangeText(setting, words));
  return (
    <>
      <TextField
        {...texts}
        description={sentences(texts.description, hint)}
        error={typedError ?? texts.error}
        value={typed}
        onChange={(text) => {
          isAwaited.current = false;
          setTyped(text);
        }}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        isReadOnly={isFull}
        placeholder={t('list.add')}
      >
        <Button onPress={add} isDisabled={typed.trim() === '' || isFull}>
          {t('list.add')}
        </Button>
      </TextField>
      <Tokens
        label={texts.label}
        tokens={items.map((entry) => ({
          id: String(entry),
          text: itemText(setting, entry, words),
          start: startOf?.(entry),
        }))}
        removeLabel={(text) => t('list.remove', { item: text })}
        onRemove={(id) => set(items.filter((other) => String(other) !== id) as SettingValue)}
      />
    </>
  );
}

interface Token {
  readonly id: string;
  readonly text: string;
  readonly start?: ReactNode;
}

interface TokensProps {
  readonly label: string;
  readonly tokens: readonly Token[];
  readonly removeLabel: (text: string) => string;
  readonly onRemove: (id: string) => void;
}

export function Tokens({ label, tokens, removeLabel, onRemove }: TokensProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  if (tokens.length === 0) return null;
  /** Moves the focus to the button that replaces the pressed one. */
  const remove = ({ currentTarget: button }: MouseEvent<HTMLElement>, index: number, id: string) => {
    focusAround(button);
    flushSync(() => onRemove(id));
    const left = list.current?.querySelectorAll('button') ?? [];
    left[Math.min(index, left.length - 1)]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
    <ul ref={list} role="list" aria-label={label} className={styles.tokens}>
      {tokens.map(({ id, text, start }, index) => (
        <li key={id} className={styles.token}>
          {start}
          <bdi>{text}</bdi>
          <button
            type="button"
            className={styles.remove}
            aria-label={removeLabel(text)}
            onClick={(event) => remove(event, index, id)}
          >
            <Icon name="close" size="1rem" />
          </button>
        </li>
      ))}
    </ul>
  );
}
