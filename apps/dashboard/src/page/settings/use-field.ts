import {
  fits,
  type Setting,
  type SettingsPatch,
  type SettingValue,
  textIn,
  valueIn,
} from '@guild-settings/contract/settings';
import { fieldLabel, flawOf, flawText } from '@guild-settings/i18n';
import { shownValue } from '../draft/draft.ts';
import { fieldOf } from '../draft/fields.ts';
import { useDraftPart } from '../draft/use-draft.ts';
import { useSettings } from './settings-context.ts';
import type { ValueWords } from './value-text.ts';

/** Returns what the control of a setting needs: its texts, its value, and how it is set. */
export function useField(setting: Setting) {
  const { guild, store, saver, issues, words } = useSettings();
  const { field } = setting;
  const value = useDraftPart(store, (draft) => shownValue(draft, field)) ?? setting.default;
  const isEdited = useDraftPart(store, ({ edits }) => edits.has(field));
  return {
    label: fieldLabel(field, words),
    description: descriptionOf(setting, words),
    /**
     * The error of the value: by the rules of the page, else the refusal of the service. An earlier value need not be
     * valid.
     */
    error:
      (isEdited ? valueError(setting, value, { guild, words }) : undefined) ??
      issues.find(({ path }) => fieldOf(path) === field)?.message,
    value,
    set(value: SettingValue) {
      store.edit(field, value);
      saver.clearIssues(field);
    },
  };
}

export function descriptionOf({ field, place, declared }: Setting, { t, language }: ValueWords): string | undefined {
  return place === 'record' ? t(`help.${field}` as never) : textIn(declared.description, language);
}

/** The guild and the texts of an error. */
interface Valued {
  readonly guild: string;
  readonly words: ValueWords;
}

/** Returns what is wrong with a value; undefined: nothing. What was typed and is no value of the kind stays a text. */
export function valueError(setting: Setting, value: SettingValue, { guild, words }: Valued): string | undefined {
  if (!fits(setting, value))
    return words.t(setting.kind.control === 'duration' ? 'number.notDuration' : 'number.notWhole');
  const flaw = flawOf(setting, value, guild);
  return flaw && flawText(flaw, words, setting);
}

export function hasFlaws(changes: SettingsPatch, { guild, words }: Valued): boolean {
  return words.settings.all.some((setting) => {
    const value = valueIn(changes, setting);
    return value != null && valueError(setting, value, { guild, words }) !== undefined;
  });
}
