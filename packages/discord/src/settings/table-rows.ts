import { createHash } from 'node:crypto';
import {
  type Item,
  isRequired,
  isSameValue,
  named,
  type Row,
  type Setting,
  type SettingValue,
  valueIn,
} from '@guild-settings/contract/settings';
import { Refusal } from '../i18n/text.ts';
import { expectation } from './expectations.ts';
import { finder } from './named-things.ts';
import { itemNames, parseSetting, readItem, type SettingContext } from './parse-setting.ts';
import { labelled, typedItem } from './setting-texts.ts';

export function rowsOf(settings: object, table: Setting): readonly Row[] {
  return (valueIn(settings, table) ?? table.default) as readonly Row[];
}

export function cellOf({ name, default: initial }: Setting, row: Row): Item {
  return (row[name] ?? initial) as Item;
}

/**
 * Returns texts that identify the rows of a table by their cells after concurrent changes. Identical rows are numbered.
 */
export function rowIds({ columns = [] }: Setting, rows: readonly Row[]): readonly string[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const cells = columns.map((column) => column.kind.identity?.(cellOf(column, row)) ?? cellOf(column, row));
    const id = `row:${createHash('sha256').update(JSON.stringify(cells)).digest('base64url').slice(0, 12)}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}:${count}`;
  });
}

export function isRowId(text: string): boolean {
  return /^row:[\w-]{12}(?::\d+)?$/.test(text);
}

/** Returns the cells of a row in typed form: `3, kick, 1h`. */
export function typedRow({ columns = [] }: Setting, row: Row): string {
  return columns.map((column) => typedItem(column, cellOf(column, row))).join(', ');
}

/** Separators of the cells of a typed row. A comma before a digit is part of a number. */
const SEPARATOR = /\s*(?:[;；、\n]|[,，](?!\d))\s*/;

/**
 * Parses a row whose cells were typed in the order of the columns. Omitted cells are those of a new row.
 * @throws Refusal with the expected values of the columns; undefined: more cells than columns
 */
export async function parseTypedRow(table: Setting, typed: string, context: SettingContext): Promise<Row | undefined> {
  const { columns = [] } = table;
  const texts = cellTexts(typed.trim(), columns);
  if (texts.length > columns.length) return undefined;
  const cells = columns.flatMap(({ name }, index) => (texts[index] ? [[name, texts[index]] as const] : []));
  return parseRow(table, Object.fromEntries(cells), parseSetting, context);
}

/** Returns the texts of cells. A text in the last column may contain separators. */
function cellTexts(typed: string, columns: readonly Setting[]): string[] {
  const texts: string[] = [];
  const isText = columns.at(-1)?.declared.kind === 'text';
  for (let rest = typed; ; ) {
    const separator = isText && texts.length + 1 === columns.length ? null : SEPARATOR.exec(rest);
    if (separator === null) return [...texts, rest];
    texts.push(rest.slice(0, separator.index));
    rest = rest.slice(separator.index + separator[0].length);
  }
}

/**
 * Parses the cells of a row, by column. Missing cells are those of a new row.
 * @throws Refusal with the expected values of each column, in order
 */
export async function parseRow<Cell>(
  { columns = [] }: Setting,
  given: Readonly<Record<string, Cell>>,
  parse: (column: Setting, cell: Cell, context: SettingContext) => Promise<SettingValue>,
  context: SettingContext,
): Promise<Row> {
  // Columns do not have the values of settings with the same names.
  const inRow = { ...context, settings: { ...context.settings, custom: {} } };
  const read = await Promise.all(
    columns.map(async (column) => {
      const cell = Object.hasOwn(given, column.name) ? given[column.name] : undefined;
      try {
        if (cell !== undefined) return [column.name, await parse(column, cell, inRow)] as const;
        if (isRequired(column)) throw new Refusal(expectation(column, inRow));
        return [column.name, column.default] as const;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return labelled(column, error.message, context.translator);
      }
    }),
  );
  const flaws = read.filter((one) => typeof one === 'string');
  if (flaws.length > 0) throw new Refusal(flaws.join('\n'));
  return Object.fromEntries(read.filter((one) => typeof one !== 'string')) as Row;
}

/** Returns the positions of the rows named by a text, as a whole or otherwise by one of their cells. */
type FindRows = (rows: readonly Row[], wholeNamesOf: (position: number) => readonly string[]) => readonly number[];

export async function rowFinder({ columns = [] }: Setting, typed: string, context: SettingContext): Promise<FindRows> {
  const { translator, ownTranslator = translator } = context;
  const finders = await Promise.all(columns.map((column) => finder(column, typed, context)));
  return (rows, wholeNamesOf) => {
    const positions = [...rows.keys()];
    const whole = named(typed, positions, wholeNamesOf);
    if (whole.length > 0) return whole;
    const found = columns.flatMap((column, index) => {
      const cells = rows.map((row) => cellOf(column, row));
      const meant = finders[index]?.(typed, cells) ?? readItem(column, typed, context);
      return positions.filter((at) => isSameValue(cells[at], meant, column));
    });
    const byName = named(typed, positions, (at) =>
      columns.flatMap((column) =>
        [translator, ownTranslator].flatMap((one) => itemNames(column, cellOf(column, rows[at] ?? {}), one)),
      ),
    );
    return positions.filter((at) => found.includes(at) || byName.includes(at));
  };
}
