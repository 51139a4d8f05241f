import { sentences } from '@guild-settings/i18n';
import { type FocusEvent, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldTexts } from '../design/field.tsx';
import { TextField } from '../design/inputs.tsx';
import { useField, useSettings } from '../settings/settings-context.ts';
import { ListControl, Tokens } from './list-control.tsx';
import { PickNotice } from './pick-notice.tsx';
import { type Pickable, usePickable } from './pickables.tsx';
import type { ControlProps } from './text-controls.tsx';

export function PickControl({ setting }: ControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { set, value, texts, isCell } = useField();
  const pickable = usePickable(setting, [String(value)]);
  return (
    <>
      <PickField
        {...texts}
        description={sentences(texts.description, pickable.hintOf?.(String(value)))}
        pickable={pickable}
        value={String(value)}
        onPick={set}
      />
      {!isCell && <PickNotice guild={guild} setting={setting} ids={[String(value)]} words={words} />}
    </>
  );
}

export function PickManyControl({ setting }: ControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { t } = words;
  const { set, value, texts } = useField();
  const ids = value as readonly string[];
  const pickable = usePickable(setting, ids);
  // Ids are typed if the list cannot be read.
  if (pickable.isMissing) return <ListControl setting={setting} help={pickable.idHelp} />;
  const isFull = setting.many !== undefined && ids.length >= setting.many.max;
  const identityOf = (id: string) => setting.kind.identity?.(id) ?? id;
  const hint = isFull ? t('list.full', { count: ids.length }) : undefined;
  return (
    <>
      <PickField
        {...texts}
        description={sentences(texts.description, hint)}
        pickable={pickable}
        without={ids}
        value={null}
        isFull={isFull}
        onPick={(id) => !ids.some((one) => identityOf(one) === identityOf(id)) && set([...ids, id])}
      />
      <Tokens
        label={texts.label}
        tokens={ids.map((id) => ({ id, text: pickable.textOf(id), start: pickable.startOf(id) }))}
        removeLabel={(text) => t('list.remove', { item: text })}
        onRemove={(id) => set(ids.filter((one) => one !== id))}
      />
      <PickNotice guild={guild} setting={setting} ids={ids} words={words} />
    </>
  );
}

interface PickFieldProps extends FieldTexts {
  readonly pickable: Pickable;
  /** Values that are already picked and not offered again. */
  readonly without?: readonly string[];
  /** The value; null: each picked value is added to a list. */
  readonly value: string | null;
  readonly onPick: (id: string) => void;
  readonly isFull?: boolean;
}

/** A value that is picked from a list, or its id if the list cannot be read. */
function PickField(props: PickFieldProps): ReactNode {
  const { pickable, without = [], value, onPick, isFull = false, label, description, error } = props;
  const { t, language } = useSettings().words;
  const { Picker, isFocused, isMissing, load } = usePicker();
  const { kind, groups, idLabel = label, special, typed, onType, textOf } = pickable;
  const start = value === null || value === '' ? undefined : pickable.startOf(value);
  const texts = { label, description, error };
  if (groups === undefined || isMissing || isFull) {
    const isById = !isFull && (pickable.isMissing || isMissing) && value !== null;
    return (
      <TextField
        {...texts}
        label={isById ? idLabel : label}
        description={isById ? pickable.idHelp : description}
        value={value ?? ''}
        onChange={onPick}
        isReadOnly={!isById}
        inputMode={kind === 'emoji' || kind === 'timeZone' ? 'text' : 'numeric'}
        spellCheck={false}
      />
    );
  }
  if (Picker === undefined) {
    return (
      <TextField
        {...texts}
        value={value === null ? '' : textOf(value)}
        placeholder={t(`${kind}.search`)}
        start={start}
        onChange={() => {}}
        isReadOnly
        role="combobox"
        aria-expanded={false}
        aria-haspopup="listbox"
        onFocus={load}
      />
    );
  }
  return (
    <Picker
      {...texts}
      language={language}
      placeholder={t(`${kind}.search`)}
      openLabel={t(`${kind}.show`)}
      listLabel={t(`${kind}.list`)}
      empty={pickable.empty}
      autoFocus={isFocused}
      start={start}
      {...(typed !== undefined && {
        typed(text: string) {
          const option = typed(text);
          return option && without.includes(option.id) ? undefined : option;
        },
      })}
      special={value === null ? [] : special(value)}
      groups={groups.map((group) => ({
        ...group,
        options: group.options.filter(({ id }) => !without.includes(id)),
      }))}
      value={value}
      onPick={onPick}
      {...(onType !== undefined && { onType })}
    />
  );
}

/**
 * Loads the picker, which is a third of the size of this page, when its field gets the focus. `isFocused`: the picker
 * replaces a focused field.
 */
function usePicker() {
  const [loaded, setLoaded] = useState<{ readonly Picker?: PickerType; readonly isFocused: boolean }>({
    isFocused: false,
  });
  const [isMissing, setMissing] = useState(false);
  const load = ({ currentTarget: field }: FocusEvent) => {
    import('../design/picker.tsx').then(
      // The focus may have moved meanwhile. Rendered synchronously, because a later render of the picker would take it
      // back.
      ({ Picker }) => flushSync(() => setLoaded({ Picker, isFocused: document.activeElement === field })),
      () => setMissing(true),
    );
  };
  return { ...loaded, isMissing, load };
}

type PickerType = typeof import('../design/picker.tsx').Picker;
