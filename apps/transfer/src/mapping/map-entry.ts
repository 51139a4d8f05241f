import {
  CUSTOM,
  type DeclaredSettings,
  EXPECTED,
  type FieldPatch,
  fieldsOf,
  fits,
  GuildId,
  ImportDocument,
  inEffect,
  isSameValue,
  issuesOf,
  type ProblemIssue,
  type Setting,
  type SettingValue,
  stored,
  unknownFieldsOf,
} from '@guild-settings/contract';
import type { Entry } from '../sources/source.ts';
import { ConversionError, receivedText } from './conversion-error.ts';
import { pathOf, rowsIn } from './convert.ts';
import type { Mapping } from './mapping.ts';
import { decoded, isContainer, unmappedNames, valueAt } from './paths.ts';
import { type RefusedValue, takeValue } from './take-value.ts';

export function mapEntry(entry: Entry, mapping: Mapping): Mapped {
  const { documents, declared, scales } = mapping;
  if (documents !== undefined && isExport(entry.value)) {
    if (scales.size > 0) return { is: 'rejected', problem: SCALED_EXPORT };
    return mapExport(entry.value, documents, declared);
  }
  const located = locate(entry, mapping);
  if (located === undefined) return { is: 'other', unmapped: [] };
  const { guild, value } = located;
  if (GLOBAL.includes(guild)) return { is: 'other', unmapped: [] };
  const id = GuildId.safeParse(guild).data;
  if (id === undefined) return { is: 'rejected', problem: noGuild(guild, entry, mapping) };
  if (!isContainer(decoded(value)) && mapping.paths.every(({ path }) => path !== '.')) {
    const problem = 'expected an object with the mapped names; --map FIELD=. takes the whole value';
    return { is: 'rejected', guild: id, problem };
  }
  const settings: Record<string, SettingValue> = {};
  const refused: RefusedValue[] = [];
  for (const { setting, path } of mapping.paths) {
    const found = valueAt(value, path);
    if (found === undefined || found === null) continue;
    const field = setting.shownField;
    const taken = takeValue(setting, found, mapping);
    if (taken.is === 'undecided') return { is: 'undecided' };
    if (taken.is === 'refused') refused.push({ field, value: found, problem: taken.problem });
    if (taken.is !== 'value') continue;
    // Another name of a renamed setting.
    if (settings[field] === undefined) settings[field] = taken.value;
    else if (!isSameValue(settings[field], taken.value, setting)) {
      const problem = `${field}: expected one value for its names, received another one as "${path}"`;
      refused.push({ field, value: found, problem });
    }
  }
  const unmapped = unmappedIn(value, guildPathOf(entry, mapping), mapping);
  const isEmpty = Object.keys(settings).length === 0 && refused.length === 0;
  return isEmpty ? { is: 'other', unmapped } : { is: 'guild', guild: id, settings, refused, unmapped };
}

const SCALED_EXPORT =
  'expected --map FIELD=settings.custom.FIELD with --scale, because an export is otherwise imported unchanged';

/** The keys that bots use for all guilds: Commando has 0 in its table. */
const GLOBAL: readonly unknown[] = [0, '0', 'global'];

function locate(entry: Entry, mapping: Mapping): { guild: unknown; value: unknown } | undefined {
  const { key = '', value } = entry;
  const guildPath = guildPathOf(entry, mapping);
  if (guildPath !== undefined) return { guild: valueAt(value, guildPath), value };
  const match = mapping.keys.match(key);
  if (match === undefined) return undefined;
  return { guild: match.guild, value: match.field === undefined ? value : { [match.field]: value } };
}

/** Returns the path of the guild's id in a row; undefined: the key contains the id. */
function guildPathOf({ key }: Entry, { guildPath }: Mapping): string | undefined {
  return guildPath ?? (key === undefined ? 'guild' : undefined);
}

function noGuild(guild: unknown, entry: Entry, mapping: Mapping): string {
  const { value } = entry;
  if (guild !== undefined) return `expected a guild id of 17 to 19 digits as text, received ${receivedText(guild)}`;
  const names = isContainer(value) ? Object.keys(value).slice(0, 10).join(', ') : '';
  return `expected a guild id at "${guildPathOf(entry, mapping)}" (--guild PATH), received a row with: ${names}`;
}

/** Yields the names of values without a path, in a row and in the rows of its tables. */
function* unmappedIn(value: unknown, guildPath: string | undefined, mapping: Mapping): Generator<string> {
  const { paths } = mapping;
  const known = isExport(value) ? Object.keys(ImportDocument.shape).filter((name) => name !== 'settings') : [];
  const taken = [...paths.map(({ path }) => path), ...known, ...(guildPath === undefined ? [] : [guildPath])];
  yield* unmappedNames(value, taken);
  for (const { setting, path } of paths) {
    const { columns } = setting;
    if (columns === undefined) continue;
    const names = columns.map((column) => pathOf(column, mapping));
    for (const [, row] of rowsFound(columns, valueAt(value, path), mapping))
      yield* unmappedNames(row, names, `${path}.`);
  }
}

function rowsFound(columns: readonly Setting[], value: unknown, mapping: Mapping): ReturnType<typeof rowsIn> {
  try {
    return value === undefined || value === null ? [] : rowsIn(columns, value, mapping);
  } catch (error) {
    if (error instanceof ConversionError) return [];
    throw error;
  }
}

type Mapped =
  | {
      readonly is: 'guild';
      readonly guild: GuildId;
      /** By the names in the history, such as `prefix` and `custom.xpRate`. */
      readonly settings: FieldPatch;
      readonly refused: readonly RefusedValue[];
      /** Names of values without a path. */
      readonly unmapped: Iterable<string>;
    }
  | { readonly is: 'rejected'; readonly guild?: string; readonly problem: string }
  /** A row to be mapped again after the meaning of an empty prefix is decided. */
  | { readonly is: 'undecided' }
  /** A row that is not relevant: another kind of key, or without a value at any path. */
  | { readonly is: 'other'; readonly unmapped: Iterable<string> };

function isExport(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'version' in value && 'guild' in value && 'settings' in value;
}

function mapExport(given: object, documents: typeof ImportDocument, declared: DeclaredSettings): Mapped {
  const value = asDeclared(given, declared);
  const { error } = documents.safeParse(value, EXPECTED);
  const issues = error === undefined ? [] : issuesOf(error);
  if (issues.some((issue) => fieldOf(issue) === undefined)) return { is: 'rejected', problem: problemOf(issues) };
  // A document, validated except for single settings.
  const document = value as ImportDocument;
  const settings: Record<string, SettingValue | null> = {};
  const refused: RefusedValue[] = [];
  for (const [field, value] of Object.entries(fieldsOf(document.settings))) {
    const setting = declared.byField.get(field);
    if (setting === undefined) continue;
    const own = issues.filter((issue) => fieldOf(issue) === field);
    if (own.length === 0) settings[field] = value === null ? null : stored(setting, value);
    else refused.push({ field, value, problem: problemOf(own) });
  }
  const unmapped = unknownFieldsOf(document, declared).map(({ path }) => path.join('.'));
  if (Object.keys(settings).length === 0 && refused.length === 0) return { is: 'other', unmapped };
  return { is: 'guild', guild: document.guild, settings, refused, unmapped };
}

/**
 * Returns a document with the declared settings by their present names, and with values from before a kind was widened
 * in their present form.
 */
function asDeclared(document: object, { byField }: DeclaredSettings): object {
  const { settings } = document as { readonly settings: unknown };
  const custom: unknown = isContainer(settings) ? Reflect.get(settings, 'custom') : undefined;
  if (!isContainer(custom) || Array.isArray(custom)) return document;
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(custom)) {
    const setting = byField.get(`${CUSTOM}${name}`);
    // The value under the present name is the newer one.
    if (setting !== undefined && setting.name !== name && setting.name in custom) continue;
    present[setting?.name ?? name] =
      setting === undefined || fits(setting, value) ? value : (inEffect(setting, value) ?? value);
  }
  return { ...document, settings: { ...(settings as object), custom: present } };
}

/** Returns the invalid setting; undefined: the document is invalid. */
function fieldOf({ path: [part, name, inner] }: ProblemIssue): string | undefined {
  if (part !== 'settings' || name === undefined) return undefined;
  if (name !== 'custom') return String(name);
  return inner === undefined ? undefined : `${CUSTOM}${inner}`;
}

function problemOf(issues: readonly ProblemIssue[]): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
