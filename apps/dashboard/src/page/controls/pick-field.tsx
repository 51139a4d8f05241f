import type { ReactNode } from 'react';
import type { FieldTexts } from '../design/field.tsx';
import { TextField } from '../design/inputs.tsx';
import { usePicker } from '../design/use-picker.ts';
import { useSettings } from '../settings/settings-context.ts';
import type { Pickable } from './use-pickable.tsx';

interface PickFieldProps extends FieldTexts {
  readonly pickable: Pickable;
  /** Values that are picked already and not offered again. */
  readonly without?: readonly string[];
  /** The value; null: each one that is picked is added to a list. */
  readonly value: string | null;
  readonly onPick: (id: string) => void;
  readonly isFull?: boolean;
}

/** A channel or a role: picked from a list, or its id where the list cannot be read. */
export function PickField(props: PickFieldProps): ReactNode {
  const { pickable, without = [], value, onPick, isFull = false, label, description, error } = props;
  const { t, language } = useSettings().words;
  const { Picker, isFocused, isMissing, load } = usePicker();
  const { kind, groups, idLabel = label, special, typed, onType, textOf } = pickable;
  const texts = { label, description, error };
  if (groups === undefined || isMissing || isFull) {
    const isById = !isFull && (pickable.isMissing || isMissing) && value !== null;
    return (
      <TextField
        {...texts}
        label={isById ? idLabel : label}
        description={isById ? t(pickable.isConfigured ? `${kind}.byId` : `${kind}.notHere`) : description}
        value={value ?? ''}
        onChange={onPick}
        isReadOnly={!isById}
        inputMode="numeric"
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
      empty={t(`${kind}.noMatch`)}
      autoFocus={isFocused}
      typed={(text) => {
        const option = typed(text);
        return option && without.includes(option.id) ? undefined : option;
      }}
      special={value === null ? [] : special(value)}
      groups={groups.map((group) => ({
        ...group,
        options: group.options.filter(({ id }) => !without.includes(id)),
      }))}
      value={value}
      onPick={onPick}
      {...(onType && { onType })}
    />
  );
}
