import type { Flaw } from './flaw.ts';
import { type Item, type Keywords, KINDS, type Kind, type ReservedOptions, type TypedWords } from './kinds.ts';
import type { Many, SettingDeclaration, SettingValue } from './setting-declaration.ts';

/** The place of a setting in the record: beside the others of the specification, or in `custom`. */
export type Place = 'record' | 'custom';

/** A setting with all that is known of it: the declaration, and the functions of its kind. */
export interface Setting {
  /** The name, unique within the place. */
  readonly name: string;
  readonly place: Place;
  /** The name in the history and in storage: `prefix`, `custom.xpRate`. */
  readonly field: string;
  readonly declared: SettingDeclaration & ReservedOptions;
  readonly kind: Kind;
  /** The list that its value is; undefined: it has one value. */
  readonly many: Many | undefined;
  readonly default: SettingValue;
}

/** Returns a setting; undefined: this version does not know its kind, or it needs a default. */
export function settingOf(
  place: Place,
  name: string,
  declared: SettingDeclaration & ReservedOptions,
  otherDefault?: SettingValue,
): Setting | undefined {
  if (!Object.hasOwn(KINDS, declared.kind)) return undefined;
  const kind: Kind = KINDS[declared.kind];
  const many = declared.kind === 'switch' ? undefined : declared.many;
  const empty = many === undefined ? kind.empty : [];
  const value = otherDefault ?? declared.default ?? empty;
  if (value === undefined) return undefined;
  const field = place === 'record' ? name : `custom.${name}`;
  return { name, place, field, declared, kind, many, default: stored({ kind, declared }, value) };
}

/** Returns whether a value has the type of a setting, whatever its limits. Others are not served. */
export function fits({ kind, many }: Pick<Setting, 'kind' | 'many'>, value: unknown): value is SettingValue {
  return many === undefined ? isItem(kind, value) : Array.isArray(value) && value.every((item) => isItem(kind, item));
}

/**
 * Returns all that is not valid in a value of the type of a setting.
 * @param guildId the guild, whose id is that of its role @everyone; undefined: it does not matter
 */
export function flawsOf(setting: Setting, value: SettingValue, guildId?: string): Flaw[] {
  const { many } = setting;
  if (many === undefined) return [...itemFlaws(setting, value as Item, guildId)];
  const items = value as readonly Item[];
  const flaws = items.flatMap((item, at) => itemFlaws(setting, item, guildId).map((flaw) => ({ ...flaw, at })));
  return items.length > many.max ? [...flaws, tooMany(setting, many)] : flaws;
}

/** Returns all that is not valid in an item of a list, or in the value of a setting with one. A list has no item that is none. */
export function itemFlaws({ kind, many, declared }: Setting, item: Item, guildId?: string): readonly Flaw[] {
  if (declared.kind === 'role' && item === guildId) return [{ key: 'everyone', count: 0 }];
  const flaws = kind.flaws(item, declared as never);
  const isNone = many !== undefined && item === '' && flaws.length === 0;
  return isNone ? [{ key: 'tooShort', count: 1, length: 0 }] : flaws;
}

export function tooMany({ declared }: Pick<Setting, 'declared'>, { max: count }: Many): Flaw {
  return { key: 'tooMany', count, of: declared.open === undefined ? 'item' : 'name' };
}

/** Returns what a person typed as a value, which may have flaws; undefined: it is none. Items of a list are separated by commas, or by spaces. */
export function parseTyped(
  { kind, many, declared }: Setting,
  typed: string,
  words: TypedWords,
): SettingValue | undefined {
  const options = declared as never;
  if (many === undefined) return kind.parse(typed, options, words);
  if (words.wordOf(typed) === 'none') return [];
  const isWhole = (part: string) => {
    if (declared.kind !== 'choice') return SPACED.includes(declared.kind);
    // Any text is an item of an open list.
    return Object.hasOwn(declared.choices, String(kind.parse(part, options, words)));
  };
  const parts = typed
    .split(/[,、，\n]+/)
    .map((part) => part.trim())
    .flatMap((part) => (isWhole(part) ? part : part.split(/\s+/)));
  const items = parts.filter((part) => part !== '').map((part) => kind.parse(part, options, words));
  return items.length === 0 || items.includes(undefined) ? undefined : distinct(items as string[]);
}

/** The kinds whose items are not separated by spaces in a typed list. */
const SPACED: readonly string[] = ['text', 'duration'];

/** Returns a value as it is stored: lists without duplicates, in their order, and texts with line feeds as their line breaks. */
export function stored({ kind, declared }: Pick<Setting, 'kind' | 'declared'>, value: SettingValue): SettingValue {
  if (Array.isArray(value)) return distinct(value);
  return kind.stored === undefined ? value : kind.stored(value as Item, declared as never);
}

function distinct<T>(items: readonly T[]): readonly T[] {
  const set = new Set(items);
  return set.size === items.length ? items : [...set];
}

/** Returns whether two values are the same. The order of a list counts. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, index) => item === other[index]);
}

export interface ListDifference<T = Item> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

/** Returns what a list gained and lost; undefined: nothing but its order, or the values are no lists. */
export function listDifference(from: unknown, to: unknown): ListDifference | undefined {
  if (!isList(from) || !isList(to)) return undefined;
  const added = to.filter((item) => !from.includes(item));
  const removed = from.filter((item) => !to.includes(item));
  return added.length + removed.length > 0 ? { added, removed } : undefined;
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every((item) => ['string', 'number', 'boolean'].includes(typeof item));
}

/** Returns the bytes of the longest value as JSON. */
export function maxBytes({ kind, many, declared }: Setting): number {
  const item = kind.maxBytes(declared as never);
  return many === undefined ? item : 2 + many.max * (item + 1);
}

/** Returns the limits of an item for a request schema. */
export function limitsOf({ kind, declared }: Setting): Keywords {
  return kind.keywords(declared as never);
}

function isItem({ type }: Kind, value: unknown): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}
