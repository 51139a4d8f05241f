import type { GuildSettings, ProblemIssue } from '@guild-settings/contract';
import {
  Ambiguous,
  fits,
  flawPath,
  flawsOf,
  isSameValue,
  type Row,
  type Setting,
  type SettingsPatch,
  type SettingValue,
  textIn,
  valueIn,
} from '@guild-settings/contract/settings';
import { ambiguousText, fieldLabel, flawOf, flawText } from '@guild-settings/i18n';
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import type { FieldTexts } from '../design/field.tsx';
import { changesOf, type Draft, edit, shownValue, viewOf } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import { fieldOf } from '../draft/fields.ts';
import type { Groups } from './groups.ts';
import type { Saver } from './saver.ts';
import type { ValueWords } from './value-text.ts';

/** The context shared by the parts of a settings page. It stays the same while the person types. */
interface SettingsContextValue {
  readonly guild: string;
  readonly store: DraftStore;
  readonly saver: Saver;
  readonly issues: readonly ProblemIssue[];
  readonly words: ValueWords;
  readonly groups: Groups;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

export function useSettings(): SettingsContextValue {
  const value = useContext(SettingsContext);
  if (value === undefined) throw new Error('Expected a component within the settings page');
  return value;
}

/** Returns a part of a draft. The component is only rendered again when that part has changed. */
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

/** The value that a control shows and sets: that of a setting, or of a cell of one. */
export interface FieldState {
  readonly texts: FieldTexts & { readonly description: string | undefined };
  readonly value: SettingValue;
  readonly set: (value: SettingValue) => void;
  /** All errors of the value, each with its path. */
  readonly errors: readonly ValueError[];
  /** True: a cell of a table, which has little space, and its label in the table's head. */
  readonly isCell: boolean;
}

export const FieldContext = createContext<FieldState | undefined>(undefined);

/** Returns the field of the surrounding control. */
export function useField(): FieldState {
  const field = useContext(FieldContext);
  if (field === undefined) throw new Error('Expected a control within a field');
  return field;
}

export function useSettingField(setting: Setting): FieldState {
  const { guild, store, saver, issues, words } = useSettings();
  const { shownField: field } = setting;
  const value = useDraftPart(store, (draft) => shownValue(draft, field)) ?? setting.default;
  const isEdited = useDraftPart(store, ({ edits }) => edits.has(field));
  // By the rules of the page, otherwise by the refusal of the service. An unedited value may be invalid.
  const own = isEdited ? errorsOf(setting, value, { guild, words }) : [];
  const refused = issues
    .filter(({ path }) => words.settings.byField.get(fieldOf(path)) === setting)
    .map(({ path, message }) => ({ path: path.slice(pathOf(setting).length), text: message }));
  const errors = own.length > 0 ? own : refused;
  const isOfCell = ({ path }: ValueError) => setting.columns !== undefined && path.length > 1;
  return {
    texts: {
      label: fieldLabel(field, words),
      description: descriptionOf(setting, words),
      error: errors.find((error) => !isOfCell(error))?.text,
    },
    value,
    set(value: SettingValue) {
      store.update(edit, field, value);
      saver.clearIssues(field);
    },
    errors,
    isCell: false,
  };
}

function pathOf({ place, name }: Setting): readonly string[] {
  return place === 'record' ? [name] : [place, name];
}

export function descriptionOf({ name, place, declared }: Setting, { t, language }: ValueWords): string | undefined {
  return place === 'record' ? t(`help.${name as keyof GuildSettings}`) : textIn(declared.description, language);
}

export interface Valued {
  readonly guild: string;
  readonly words: ValueWords;
}

export interface ValueError {
  /** The path to the error within the value: the index in a list, and the column. */
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

/** Returns the error of a value; undefined: none. Typed text that is not a value of the kind stays a text. */
export function valueError(setting: Setting, value: SettingValue, valued: Valued): string | undefined {
  return errorsOf(setting, value, valued)[0]?.text;
}

/** Returns all errors in the cells of a table, or the error of another value. */
function errorsOf(setting: Setting, value: SettingValue, valued: Valued): readonly ValueError[] {
  const { guild, words } = valued;
  const { columns } = setting;
  if (columns === undefined) {
    const flaw = fits(setting, value) ? flawOf(setting, value, guild) : 'unread';
    if (flaw === undefined) return [];
    if (words.unread !== undefined && isRead(setting, value)) return [{ path: [], text: words.unread }];
    const several = severalMeanings(setting, value, words);
    if (several !== undefined) return [{ path: [], text: several }];
    return [{ path: [], text: flaw === 'unread' ? unreadText(setting, words) : flawText(flaw, words, setting) }];
  }
  const ofCells = (value as readonly Row[]).flatMap((row, at) =>
    columns.flatMap((column): ValueError[] => {
      const cell = row[column.name];
      const text = cell === undefined ? undefined : valueError(column, cell, valued);
      return text === undefined ? [] : [{ path: [at, column.name], text }];
    }),
  );
  const ofRows = flawsOf(setting, value, guild).map((flaw) => ({
    path: flawPath(flaw),
    text: flawText(flaw, words, setting),
  }));
  const isNew = ({ path }: ValueError) => !ofCells.some((known) => known.path.join() === path.join());
  return [...ofCells, ...ofRows.filter(isNew)];
}

/** Returns the text about an ambiguous input; undefined: it is not ambiguous. */
function severalMeanings(setting: Setting, value: SettingValue, words: ValueWords): string | undefined {
  if (typeof value !== 'string') return undefined;
  const meant = words.read?.(setting, value, words.language);
  return meant instanceof Ambiguous ? ambiguousText(meant.meanings, words) : undefined;
}

/** Returns the value that a person typed; the text itself where it is none. */
export function readTyped(setting: Setting, typed: string, { language, read }: ValueWords): SettingValue {
  const value = read?.(setting, typed, language);
  return value === undefined || value instanceof Ambiguous ? typed : value;
}

/** Returns whether a value is a text that is read as a value of a kind. Texts and the names of choices are values as they are. */
function isRead({ declared: { kind } }: Setting, value: unknown): value is string {
  return typeof value === 'string' && kind !== 'text' && kind !== 'choice';
}

/** Reads what a person typed before it could be read. */
export function readEdits(draft: Draft, valued: Valued): Draft {
  const readOne = <Value extends SettingValue>(setting: Setting, value: Value) =>
    isRead(setting, value) && valueError(setting, value, valued) !== undefined
      ? readTyped(setting, value, valued.words)
      : value;
  return [...draft.edits].reduce((known, [field, { mine, isReset }]) => {
    const setting = valued.words.settings.byField.get(field);
    if (setting === undefined || isReset) return known;
    const { columns } = setting;
    const rowOf = (row: Row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, cell]) => {
          const column = columns?.find((one) => one.name === name);
          return [name, column === undefined ? cell : readOne(column, cell)];
        }),
      ) as Row;
    const read = columns === undefined ? readOne(setting, mine) : (mine as readonly Row[]).map(rowOf);
    return isSameValue(read, mine) ? known : edit(known, field, read);
  }, draft);
}

function unreadText({ kind: { control, type } }: Setting, { t }: ValueWords): string {
  if (control === 'duration') return t('number.notDuration');
  return t(type === 'number' ? 'number.notNumber' : 'number.notWhole');
}

export function hasFlaws(changes: SettingsPatch, { guild, words }: Valued): boolean {
  return words.settings.all.some((setting) => {
    const value = valueIn(changes, setting);
    return value != null && valueError(setting, value, { guild, words }) !== undefined;
  });
}
