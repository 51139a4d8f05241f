import {
  CUSTOM,
  type DeclaredSettings,
  EXPECTED,
  type FieldPatch,
  fieldsOf,
  GuildId,
  type ImportDocument,
  issuesOf,
  type ProblemIssue,
  type SettingValue,
  stored,
  unknownFieldsOf,
} from '@guild-settings/contract';
import type { Entry } from '../sources/source.ts';
import { receivedText } from './convert.ts';
import type { Mapping } from './mapping.ts';
import { type RefusedValue, takeValue } from './take-value.ts';

export function mapEntry(entry: Entry, mapping: Mapping): Mapped {
  const { documents, declared } = mapping;
  if (documents !== undefined && isExport(entry.value)) return mapExport(entry.value, documents, declared);
  const located = locate(entry, mapping);
  if (located === undefined) return { is: 'other', unmapped: [] };
  const { guild, value } = located;
  const id = GuildId.safeParse(guild).data;
  if (id === undefined) return { is: 'rejected', problem: noGuild(guild, entry, mapping) };
  if (!isContainer(value) && mapping.paths.every(({ path }) => path !== '.')) {
    const problem = 'expected an object with the mapped names; --map FIELD=. takes the whole value';
    return { is: 'rejected', guild: id, problem };
  }
  const settings: Record<string, SettingValue> = {};
  const refused: RefusedValue[] = [];
  for (const { setting, path } of mapping.paths) {
    const found = valueAt(value, path);
    if (found === undefined || found === null) continue;
    const taken = takeValue(setting, found, mapping);
    if (taken.is === 'undecided') return { is: 'undecided' };
    if (taken.is === 'refused') refused.push({ field: setting.field, value: found, problem: taken.problem });
    if (taken.is === 'value') settings[setting.field] = taken.value;
  }
  const paths = mapping.paths.map(({ path }) => path);
  const unmapped = unmappedNames(value, mapping.guildPath === undefined ? paths : [...paths, mapping.guildPath]);
  const isEmpty = Object.keys(settings).length === 0 && refused.length === 0;
  return isEmpty ? { is: 'other', unmapped } : { is: 'guild', guild: id, settings, refused, unmapped };
}

function locate({ key, value }: Entry, { guildPath, keys }: Mapping): { guild: unknown; value: unknown } | undefined {
  if (guildPath !== undefined) return { guild: valueAt(value, guildPath), value };
  if (key === undefined) return { guild: undefined, value };
  const match = keys.match(key);
  if (match === undefined) return undefined;
  return { guild: match.guild, value: match.field === undefined ? value : { [match.field]: value } };
}

function noGuild(guild: unknown, { value }: Entry, { guildPath }: Mapping): string {
  if (guild !== undefined) return `expected a guild id of 17 to 19 digits as text, received ${receivedText(guild)}`;
  const names = isContainer(value) ? Object.keys(value).slice(0, 10).join(', ') : '';
  return `expected a guild id at "${guildPath}" (--guild PATH), received a row with: ${names}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

type Mapped =
  | {
      readonly is: 'guild';
      readonly guild: GuildId;
      /** By the names of the history, such as `prefix` and `custom.xpRate`. */
      readonly settings: FieldPatch;
      readonly refused: readonly RefusedValue[];
      /** Names of values that no path takes. */
      readonly unmapped: Iterable<string>;
    }
  | { readonly is: 'rejected'; readonly guild?: string; readonly problem: string }
  /** A row that is to be mapped again when it is decided what an empty prefix becomes. */
  | { readonly is: 'undecided' }
  /** A row about something else: another kind of key, or without a value at any path. */
  | { readonly is: 'other'; readonly unmapped: Iterable<string> };

function isExport(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'version' in value && 'guild' in value && 'settings' in value;
}

function mapExport(value: object, documents: typeof ImportDocument, declared: DeclaredSettings): Mapped {
  const { error } = documents.safeParse(value, EXPECTED);
  const issues = error === undefined ? [] : issuesOf(error);
  if (issues.some((issue) => fieldOf(issue) === undefined)) return { is: 'rejected', problem: problemOf(issues) };
  // A document, apart from the issues of single settings.
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

/** Returns the setting that is not valid; undefined: the document is not. */
function fieldOf({ path: [part, name, inner] }: ProblemIssue): string | undefined {
  if (part !== 'settings' || name === undefined) return undefined;
  if (name !== 'custom') return String(name);
  return inner === undefined ? undefined : `${CUSTOM}${inner}`;
}

function problemOf(issues: readonly ProblemIssue[]): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/**
 * Yields the names of values that no path takes: those in a row, and those in an object to which a path leads. The elements of
 * an array have no names.
 */
function* unmappedNames(value: unknown, paths: readonly string[], before = ''): Generator<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || paths.includes('.')) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || member === null || paths.includes(name)) continue;
    const inside = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    if (inside.length > 0 && typeof member === 'object') yield* unmappedNames(member, inside, `${before}${name}.`);
    else yield `${before}${name}`;
  }
}

/**
 * Returns the value at a path of names separated by dots, of own properties alone; undefined when there is none. A name that
 * contains dots itself, such as a column's, is found, too. The path `.` is the value itself.
 */
function valueAt(value: unknown, path: string): unknown {
  if (path === '.') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return Reflect.get(value, path);
  const dot = path.indexOf('.');
  if (dot === -1) return undefined;
  const name = path.slice(0, dot);
  return Object.hasOwn(value, name) ? valueAt(Reflect.get(value, name), path.slice(dot + 1)) : undefined;
}
