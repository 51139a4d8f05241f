import { type Item, parseTyped, type SettingValue } from '@guild-settings/contract/settings';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/inputs.tsx';
import { Tokens } from '../design/tokens.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField, valueError } from '../settings/use-field.ts';
import { itemText } from '../settings/value-text.ts';
import type { ControlProps } from './control-props.ts';
import { joinedTexts } from './joined-texts.ts';
import { rangeText } from './range-text.ts';
import { NO_WORDS } from './typed-words.ts';

interface ListControlProps extends ControlProps {
  readonly help?: string;
}

/** A list of texts, numbers or durations, which are typed one after another. */
export function ListControl({ setting, help }: ListControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { t } = words;
  const { set, value, label, description, error } = useField(setting);
  const [typed, setTyped] = useState('');
  const one = { ...setting, many: undefined };
  const items = value as readonly Item[];
  const isFull = setting.many !== undefined && items.length >= setting.many.max;
  const item = parseTyped(one, typed.trim(), NO_WORDS) ?? typed.trim();
  const typedError = typed.trim() === '' ? undefined : valueError(one, item, { guild, words });
  const add = () => {
    if (typed.trim() === '' || typedError !== undefined || isFull) return;
    if (!items.includes(item as Item)) set([...items, item] as SettingValue);
    setTyped('');
  };
  /**
   * An added item moves the page. Without the wait, that would be between the two halves of a click, which would then
   * miss.
   */
  const onBlur = () => {
    if (document.querySelector(':active') === null) return add();
    addEventListener('mouseup', add, { once: true, capture: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The key that ends a word of an input method is not meant for the form.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return;
    event.preventDefault();
    add();
  };
  const hint = isFull ? t('list.full', { count: items.length }) : (help ?? rangeText(setting, words));
  return (
    <SettingFrame setting={setting}>
      <TextField
        label={label}
        description={joinedTexts(description, hint)}
        error={typedError ?? error}
        value={typed}
        onChange={setTyped}
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
        label={label}
        tokens={items.map((entry) => ({ id: String(entry), text: itemText(setting, entry, words) }))}
        removeLabel={(text) => t('list.remove', { item: text })}
        onRemove={(id) => set(items.filter((other) => String(other) !== id) as SettingValue)}
      />
    </SettingFrame>
  );
}
