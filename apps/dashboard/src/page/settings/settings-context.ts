import type { ProblemIssue } from '@guild-settings/contract';
import {
  fits,
  type Setting,
  type SettingsPatch,
  type SettingValue,
  textIn,
  valueIn,
} from '@guild-settings/contract/settings';
import { fieldLabel, flawOf, flawText } from '@guild-settings/i18n';
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import type { DraftStore } from '../draft/draft.ts';
import { changesOf, type Draft, edit, shownValue, viewOf } from '../draft/draft.ts';
import { fieldOf } from '../draft/fields.ts';
import type { Saver } from './saver.ts';
import type { ValueWords } from './value-text.ts';

/** The context that the parts of a settings page share. It stays the same while the person types. */
interface SettingsContextValue {
  readonly guild: string;
  readonly store: DraftStore;
  readonly saver: Saver;
  readonly issues: readonly ProblemIssue[];
  readonly words: ValueWords;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

export function useSettings(): SettingsContextValue {
  const value = useContext(SettingsContext);
  if (value === undefined) throw new Error('Expected a component within the settings page');
  return value;
}

/** Returns a part of a draft. A component that shows a part alone is rendered again when that part has changed. */
export function useDraftPart<Part>(store: DraftStore, partOf: (draft: Draft) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => partOf(store.read()));
}

export function useWholeDraft() {
  const draft = useDraftPart(useSettings().store, (whole) => whole);
  return useMemo(() => {
    const changes = changesOf(draft);
    const view = viewOf(draft);
    return {
      theirs: draft.theirs,
      ...view,
      hasConflict: view.conflicts.length > 0,
      changes,
      hasChanges: Object.keys(changes).length > 0,
      isSending: draft.sent !== undefined,
    };
  }, [draft]);
}

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
      store.update(edit, field, value);
      saver.clearIssues(field);
    },
  };
}

export function descriptionOf({ field, place, declared }: Setting, { t, language }: ValueWords): string | undefined {
  return place === 'record' ? t(`help.${field}` as never) : textIn(declared.description, language);
}

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
