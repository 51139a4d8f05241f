import {
  Ambiguous,
  type Flaw,
  fits,
  flawMessage,
  flawPath,
  flawsOf,
  type Item,
  isRequired,
  type Row,
  type Setting,
  type SettingValue,
} from '@guild-settings/contract';
import { ConversionError, type ConversionProblem, convertEach, receivedText, shown } from './conversion-error.ts';
import { importWords } from './import-words.ts';
import { decoded, isContainer, valueAt } from './paths.ts';
import { type Scale, scaled } from './scale.ts';

/** Rules of an import for single values, list items and table cells. The setting of a cell is its column. */
export interface ConversionRules {
  readonly replacements: readonly Replacement[];
  readonly scales: ReadonlyMap<Setting, Scale>;
  /** The paths of columns in a row of a table; by default, the name of the column. */
  readonly columnPaths: ReadonlyMap<Setting, string>;
}

export interface Replacement {
  readonly setting: Setting;
  /** The value; undefined: any value that cannot be converted otherwise. */
  readonly from: string | undefined;
  readonly to: string;
}

export const NO_RULES: ConversionRules = { replacements: [], scales: new Map(), columnPaths: new Map() };

export function replacementOf(setting: Setting, from: unknown, { replacements }: ConversionRules): string | undefined {
  if (isContainer(from)) return undefined;
  const text = from === undefined ? undefined : String(from);
  return replacements.find((one) => one.setting === setting && one.from === text)?.to;
}

/**
 * Converts a value in the format of a bot to the value of a setting, without checking the limits of the setting.
 * @throws ConversionError
 */
export function convert(setting: Setting, value: unknown, rules: ConversionRules = NO_RULES): SettingValue {
  const { many, columns } = setting;
  if (many === undefined) return toItem(setting, value, rules) as SettingValue;
  if (columns !== undefined) {
    return convertEach(rowsIn(columns, value, rules), (row) => toRow(columns, row, rules));
  }
  return convertEach(itemsIn(setting, value), (item) => toItems(setting, item, rules)).flat() as SettingValue;
}

/** Values with their places in the file. */
type Placed<Value> = readonly (readonly [at: string, value: Value])[];

/** Returns the items of an array, of a comma-separated text, or of an object whose values are true. */
function itemsIn(setting: Setting, value: unknown): Placed<unknown> {
  const items = itemsOf(decoded(value));
  // A number is not a name, but probably a value of another kind.
  if (items !== undefined && (!isVerbatim(setting) || items.every(([, item]) => typeof item === 'string')))
    return items;
  throw new ConversionError('a list: an array, a text with commas, or an object of true and false', value);
}

function itemsOf(value: unknown): Placed<unknown> | undefined {
  if (typeof value === 'number') return [['0', value]];
  if (typeof value === 'string') return itemsOf(value.split(/[,、，\n]/));
  if (Array.isArray(value)) {
    return Object.entries(value)
      .map(([at, item]) => [at, typeof item === 'string' ? item.trim() : item] as const)
      .filter(([, item]) => item !== '' && item !== null);
  }
  if (!isContainer(value)) return undefined;
  const switches = Object.entries(value);
  if (!switches.every(([, isOn]) => typeof isOn === 'boolean')) return undefined;
  return switches.filter(([, isOn]) => isOn).map(([name]) => [name, name]);
}

/** Returns an item of a list, or several items separated by spaces. */
function toItems(setting: Setting, value: unknown, rules: ConversionRules): readonly Item[] {
  const replacement = replacementOf(setting, value, rules);
  if (replacement !== undefined) return [toItem(setting, replacement, NO_RULES)];
  try {
    return [toItem(setting, value, rules)];
  } catch (error) {
    const parts = typeof value === 'string' ? value.split(/\s+/) : [];
    if (parts.length < 2) throw error;
    return parts.map((part) => toItem(setting, part, rules));
  }
}

type RowSource = Readonly<Record<string, unknown>>;

/**
 * Returns the rows of a table by the names in the file: from an array of objects, from arrays with the cells in order,
 * or from an object whose names are the cells of the first column.
 * @throws ConversionError
 */
export function rowsIn(columns: readonly Setting[], value: unknown, rules: ConversionRules): Placed<RowSource> {
  const given = decoded(value);
  const names = columns.map((column) => pathOf(column, rules));
  if (!isContainer(given)) {
    throw new ConversionError('rows: an array of objects, or an object with a row for each name', value);
  }
  const members = Object.entries(given);
  const isRow = !Array.isArray(given) && members.length > 1 && members.every(([name]) => names.includes(name));
  if (isRow) return [['0', given as RowSource]];
  const rows = members.map(([at, member]) => [at, [at, member] as const] as const);
  return convertEach(rows, ([at, member]) => [
    at,
    Array.isArray(given) ? rowOf(names, member) : keyedRow(names, at, member),
  ]);
}

function rowOf(names: readonly string[], row: unknown): RowSource {
  if (isContainer(row) && !Array.isArray(row)) return row as RowSource;
  const cells = Array.isArray(row) ? row : [row];
  if (cells.length === names.length) return byName(names, cells);
  throw new ConversionError(`an object with ${names.join(', ')}`, row);
}

function keyedRow(names: readonly string[], key: string, member: unknown): RowSource {
  const [first = '', second] = names;
  if (isContainer(member) && !Array.isArray(member)) {
    const own = (member as RowSource)[first];
    if (own === undefined || String(own) === key) return { ...member, [first]: key };
    throw new ConversionError(`the same ${first} as the name of the row`, own);
  }
  const cells = Array.isArray(member) ? member : [member];
  if (second !== undefined && cells.length === names.length - 1) return byName(names, [key, ...cells]);
  throw new ConversionError(`an object with ${names.slice(1).join(', ')}`, member);
}

function byName(names: readonly string[], cells: readonly unknown[]): RowSource {
  return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
}

export function pathOf(column: Setting, { columnPaths }: ConversionRules): string {
  return columnPaths.get(column) ?? column.name;
}

function toRow(columns: readonly Setting[], row: RowSource, rules: ConversionRules): Row {
  const found = columns.map((column) => [column.name, { column, value: valueAt(row, pathOf(column, rules)) }] as const);
  // A cell without a value has the default of its column.
  const given = found.filter(([, { column, value }]) => isRequired(column) || (value !== undefined && value !== null));
  const cells = convertEach(
    given,
    ({ column, value }) => [column.name, toCell(column, value ?? undefined, rules)] as const,
  );
  return Object.fromEntries(cells) as Row;
}

function toCell(column: Setting, value: unknown, rules: ConversionRules): Item {
  const replacement = replacementOf(column, value, rules);
  const fallback = replacementOf(column, undefined, rules);
  try {
    if (value === undefined) throw new ConversionError('a value', value);
    const cell = replacement === undefined ? toItem(column, value, rules) : toItem(column, replacement, NO_RULES);
    const flaws = flawsOf(column, cell as SettingValue);
    if (flaws.length > 0) throw new ConversionError(flaws.map((flaw) => flawProblem(flaw, cell)));
    return cell;
  } catch (error) {
    if (fallback === undefined || value === undefined) throw error;
    return toItem(column, fallback, NO_RULES);
  }
}

/** Returns a flaw in a converted value as a conversion problem. */
export function flawProblem(flaw: Flaw, value: unknown): ConversionProblem {
  const at = flawPath(flaw).map(String);
  const message = flawMessage(flaw);
  const received = at.reduce((inside: unknown, name) => Reflect.get(Object(inside), name), value);
  // A complete list is too long to show, and the id of @everyone is not helpful.
  const isNamed = message.includes('received') || flaw.key === 'tooMany' || flaw.key === 'everyone';
  return { at, message: isNamed ? message : `${message}, received ${receivedText(received)}` };
}

/** Returns true if any text is a valid value without conversion. */
function isVerbatim({ kind, declared }: Setting): boolean {
  return kind.control === 'text' || declared.open !== undefined;
}

/** Converts a single value, or an item. */
function toItem(setting: Setting, value: unknown, { scales }: ConversionRules): Item {
  const { kind, declared } = setting;
  const scale = scales.get(setting);
  const calculated = scale === undefined ? value : scaled(value, scale);
  const given = kind.fromData === undefined ? calculated : kind.fromData(calculated);
  if (typeof given === 'string') {
    if (kind.empty === '' && given.trim() === '') return isVerbatim(setting) ? given : '';
    const read = isVerbatim(setting) ? given : kind.parse(given, declared as never, importWords(setting));
    if (read !== undefined && !(read instanceof Ambiguous)) return read;
    if (read instanceof Ambiguous) throw ambiguous(read, value);
  }
  if (given instanceof Ambiguous) throw ambiguous(given, value);
  if (typeof given !== 'string' && fits({ kind, many: undefined, columns: undefined }, given)) return given as Item;
  const how = calculated === value ? '' : `, which is ${shown(value)} ${scale?.operator} ${scale?.by}`;
  throw new ConversionError(expectedOf(setting, given), calculated, how);
}

function ambiguous({ meanings }: Ambiguous, value: unknown): ConversionError {
  return new ConversionError(`one meaning, such as ${meanings.join(' or ')}`, value);
}

/** Nouns for values other than texts. */
const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false, on or off, yes or no, 1 or 0',
  integer: 'an integer',
  number: 'a number',
};

function expectedOf({ kind, declared }: Setting, value: unknown): string {
  if (declared.kind === 'choice') return `one of ${Object.keys(declared.choices).join(', ')} or its name`;
  if (kind.control === 'duration') return 'seconds, or a duration such as 10m or 1h 30m';
  const [flaw] = kind.type === 'string' ? kind.flaws(shown(value), {} as never) : [];
  if (flaw?.key === 'notId') return `the id or the mention of a ${kind.control}`;
  return flaw === undefined ? (TYPES[kind.type] ?? 'a string') : flawMessage(flaw).replace(/^expected /, '');
}
