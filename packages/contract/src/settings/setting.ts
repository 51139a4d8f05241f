import type { Flaw } from './flaw.ts';
import type { Keywords, Kind, ReservedOptions } from './kinds/kind.ts';
import { KINDS } from './kinds/kinds.ts';
import { columnsOf } from './kinds/table.ts';
import type { Item, Many, Row, SettingDeclaration, SettingValue, TableDeclaration } from './setting-declaration.ts';

/** The place of a setting in the record: beside the other specified settings, or in `custom`. */
export type Place = 'record' | 'custom';

/** A setting with its declaration and the functions of its kind. */
export interface Setting {
  /** The name, unique within the place. */
  readonly name: string;
  readonly place: Place;
  /** The storage name: `prefix`, `custom.xpRate`. For a renamed setting, its first name. */
  readonly field: string;
  /** The name in the history, in events and in requests: `custom.xpRate`. */
  readonly shownField: string;
  /** Former names. */
  readonly was: readonly string[];
  readonly declared: SettingDeclaration & ReservedOptions;
  readonly kind: Kind;
  /** The limits of its list, for a table a list of rows; undefined: a single value. */
  readonly many: Many | undefined;
  /** The columns of a table. */
  readonly columns: readonly Setting[] | undefined;
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
  const many = manyOf(declared);
  const empty = many === undefined ? kind.empty : [];
  const value = otherDefault ?? declared.default ?? empty;
  if (value === undefined) return undefined;
  const columns = declared.kind === 'table' ? columnSettings(declared) : undefined;
  // A row without the cells of an unknown kind would be another row.
  if (declared.kind === 'table' && columns?.length !== Object.keys(declared.columns).length) return undefined;
  const was = [declared.was ?? []].flat();
  const fieldOf = (one: string) => (place === 'record' ? one : `custom.${one}`);
  const names = { field: fieldOf(was[0] ?? name), shownField: fieldOf(name), was };
  return { name, place, ...names, declared, kind, many, columns, default: stored({ kind, declared }, value) };
}

/** Returns the list limits of a setting. A table is a list of rows. */
function manyOf(declared: SettingDeclaration): Many | undefined {
  if (declared.kind === 'table') return { max: declared.max };
  return 'many' in declared ? declared.many : undefined;
}

function columnSettings(declared: TableDeclaration): readonly Setting[] {
  return columnsOf(declared).flatMap((column) => {
    // The channels of a column form a list, as with `many`.
    const needs = column.declared.kind === 'channel' && { needs: [] };
    return (
      settingOf('custom', column.name, { ...needs, ...column.declared } as SettingDeclaration, column.default) ?? []
    );
  });
}

/**
 * Returns true if a row of a request needs a cell for a column: one without a default, whose kind has no empty value.
 */
export function isRequired({ kind, declared }: Setting): boolean {
  return declared.default === undefined && kind.empty === undefined;
}

type Typed = Pick<Setting, 'kind' | 'many' | 'columns'>;

/** Returns true if a value has the type of a setting, regardless of its limits. Other values are not served. */
export function fits(setting: Typed, value: unknown): value is SettingValue {
  const { many } = setting;
  return many === undefined
    ? isItem(setting, value)
    : Array.isArray(value) && value.every((item) => isItem(setting, item));
}

function isItem({ kind: { type }, columns = [] }: Typed, value: unknown): value is Item {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type !== 'row') return typeof value === type && (type !== 'number' || Number.isFinite(value));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const row = value as Row;
  return columns.every((column) => row[column.name] === undefined || isItem(column, row[column.name]));
}

/**
 * Returns the effective value for a stored one: the value itself; the only item of a list if the setting used to have a
 * single value; rows with a cell for each currently declared column. Undefined: it does not have the type of the
 * setting.
 */
export function inEffect(setting: Setting, value: unknown): SettingValue | undefined {
  const { many, columns } = setting;
  const isSingle = many !== undefined && columns === undefined && isItem(setting, value);
  const widened = isSingle ? ([value].filter((item) => item !== '') as SettingValue) : value;
  if (!fits(setting, widened)) return undefined;
  return columns === undefined ? widened : stored(setting, widened);
}

/**
 * Returns all flaws of a value that has the type of a setting. Items beyond the maximum of a list are not checked.
 * @param guildId the guild, whose id is that of its role @everyone; undefined: not checked
 */
export function flawsOf(setting: Setting, value: SettingValue, guildId?: string): Flaw[] {
  const { many } = setting;
  if (many === undefined) return [...itemFlaws(setting, value as Item, guildId)];
  const all = value as readonly Item[];
  const items = all.slice(0, many.max);
  const flaws = items.flatMap((item, at) => itemFlaws(setting, item, guildId).map((flaw) => ({ ...flaw, at })));
  const ofList = setting.kind.listFlaws?.(items, setting.declared as never) ?? [];
  return [...flaws, ...ofList, ...(all.length > many.max ? [tooMany(setting, many)] : [])];
}

/** Returns all flaws of an item of a list, or of a single value. Empty items are not allowed in a list. */
export function itemFlaws({ kind, many, columns, declared }: Setting, item: Item, guildId?: string): readonly Flaw[] {
  if (columns !== undefined) return rowFlaws(columns, item as Row, guildId).concat(kind.flaws(item, declared as never));
  if (declared.kind === 'role' && item === guildId) return [{ key: 'everyone', count: 0 }];
  const flaws = kind.flaws(item, declared as never);
  const isNone = many !== undefined && item === '' && flaws.length === 0;
  return isNone ? [{ key: 'tooShort', count: 1, length: 0 }] : flaws;
}

function rowFlaws(columns: readonly Setting[], row: Row, guildId: string | undefined): Flaw[] {
  return columns.flatMap((column) => {
    const cell = row[column.name];
    if (cell === undefined) return [];
    return itemFlaws(column, cell, guildId).map((flaw) => ({ ...flaw, column: column.name }));
  });
}

export function tooMany({ declared }: Pick<Setting, 'declared'>, { max: count }: Many): Flaw {
  const of = declared.kind === 'table' ? 'row' : declared.open === undefined ? 'item' : 'name';
  return { key: 'tooMany', count, of };
}

/** Returns the stored form of a value: lists without duplicates, in order, and texts with line feeds as line breaks. */
export function stored({ kind, declared }: Pick<Setting, 'kind' | 'declared'>, value: SettingValue): SettingValue {
  const storedItem = (item: Item) => kind.stored?.(item, declared as never) ?? item;
  if (!Array.isArray(value)) return storedItem(value as Item) as SettingValue;
  const items: readonly Item[] = kind.stored === undefined ? value : value.map(storedItem);
  return (kind.type === 'row' ? items : distinct(items, kind)) as SettingValue;
}

/** Returns the items of a list, each once. */
export function distinct<T extends Item>(items: readonly T[], { identity }: Kind): readonly T[] {
  const seen = new Set<Item>();
  const isNew = (item: T) => seen.size < seen.add(identity?.(item) ?? item).size;
  const first = items.filter(isNew);
  return first.length === items.length ? items : first;
}

/** The parts of a setting by which items are compared: custom emojis by id, also in table cells. */
type Compared = Pick<Setting, 'kind' | 'columns'>;

/**
 * Returns true if two values are equal. The order of a list counts. @param by the setting of both; compared as they are
 * unless given
 */
export function isSameValue(one: unknown, other: unknown, by?: Compared): boolean {
  if (one === other) return true;
  if (!Array.isArray(one) || !Array.isArray(other)) return isSameItem(one, other, by);
  return one.length === other.length && one.every((item, index) => isSameItem(item, other[index], by));
}

function isSameItem(one: unknown, other: unknown, by?: Compared): boolean {
  if (one === other) return true;
  if (isRow(one) && isRow(other)) {
    const names = Object.keys(one);
    const isSameCell = (name: string) => {
      const column = by?.columns?.find((each) => each.name === name);
      return Object.hasOwn(other, name) && isSameItem(one[name], other[name], column);
    };
    return names.length === Object.keys(other).length && names.every(isSameCell);
  }
  return typeof one === 'string' && typeof other === 'string' && by?.kind.identity !== undefined
    ? by.kind.identity(one) === by.kind.identity(other)
    : false;
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if a value refers to a thing of one guild, such as a channel. */
export function isOfGuild({ kind, columns = [] }: Setting, value: SettingValue): boolean {
  return [value].flat().some((item: Item) => {
    if (!isRow(item)) return kind.isOfGuild?.(item) === true;
    return columns.some((column) => column.kind.isOfGuild?.(item[column.name] ?? (column.default as Item)) === true);
  });
}

export interface ListDifference<T = Item> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

/** Returns the items that a list gained and lost; undefined: only its order changed, or the values are not lists. */
export function listDifference(from: unknown, to: unknown): ListDifference | undefined {
  if (!isList(from) || !isList(to)) return undefined;
  const isIn = (list: readonly Item[], item: Item) => list.some((one) => isSameItem(one, item));
  const added = to.filter((item) => !isIn(from, item));
  const removed = from.filter((item) => !isIn(to, item));
  return added.length + removed.length > 0 ? { added, removed } : undefined;
}

function isList(value: unknown): value is readonly Item[] {
  return (
    Array.isArray(value) && value.every((item) => isRow(item) || ['string', 'number', 'boolean'].includes(typeof item))
  );
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
