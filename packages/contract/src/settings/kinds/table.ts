import type { Flaw } from '../flaw.ts';
import type { Cell, ColumnDeclaration, Row } from '../setting-declaration.ts';
import { type Kind, kind, type ReservedOptions } from './kind.ts';
import { SCALARS } from './scalars.ts';

export interface Column {
  readonly name: string;
  readonly declared: ColumnDeclaration & ReservedOptions;
  readonly kind: Kind;
  /** The cell of a new row, and of rows that are older than the column. */
  readonly default: Cell;
}

type Columns = Readonly<Record<string, ColumnDeclaration>>;

const KNOWN = new WeakMap<Columns, readonly Column[]>();

/** Returns the columns of a table without those of a kind that this version does not know. */
export function columnsOf({ columns }: { readonly columns: Columns }): readonly Column[] {
  let all = KNOWN.get(columns);
  if (all === undefined) {
    all = Object.entries(columns).flatMap(([name, declared]) => columnOf(name, declared) ?? []);
    KNOWN.set(columns, all);
  }
  return all;
}

function columnOf(name: string, declared: ColumnDeclaration): Column | undefined {
  if (!Object.hasOwn(SCALARS, declared.kind)) return undefined;
  const kind: Kind = SCALARS[declared.kind];
  const value = declared.default ?? kind.empty ?? kind.initial?.(declared as never);
  return value === undefined ? undefined : { name, declared, kind, default: storedCell({ kind, declared }, value) };
}

function storedCell({ kind, declared }: Pick<Column, 'kind' | 'declared'>, cell: Cell): Cell {
  return (kind.stored?.(cell, declared as never) as Cell | undefined) ?? cell;
}

/** A list of rows with a cell for each column. */
export const TABLE = kind<'table'>({
  type: 'row',
  control: 'table',
  empty: undefined,
  // The cells are checked with the items of all lists.
  flaws(item, { columns }) {
    const unknown = Object.keys(item).filter((name) => !Object.hasOwn(columns, name));
    return unknown.map((column): Flaw => ({ key: 'unknownColumn', count: 0, column }));
  },
  listFlaws(items, { key = [], ...options }) {
    const columns = columnsOf(options).filter(({ name }) => key.includes(name));
    const seen = new Set<string>();
    return items.flatMap((item, at): Flaw[] => {
      const cells = JSON.stringify(columns.map((column) => identityOf(column, item as Row)));
      const isFirst = seen.size < seen.add(cells).size;
      const [column = ''] = key;
      return isFirst || key.length === 0 ? [] : [{ key: 'sameKey', count: 0, at, column, names: key }];
    });
  },
  stored(item, options) {
    const row = item as Row;
    return Object.fromEntries(
      columnsOf(options).map((column) => [column.name, storedCell(column, row[column.name] ?? column.default)]),
    );
  },
  // Rows are entered on the page, cell by cell.
  parse: () => undefined,
  keywords: () => ({}),
  maxBytes: (options) =>
    columnsOf(options).reduce(
      (sum, { name, kind, declared }) => sum + name.length + '"":,'.length + kind.maxBytes(declared as never),
      '{}'.length,
    ),
});

/** Returns the stored value of a cell by which rows are compared. */
function identityOf(column: Column, row: Row): unknown {
  const cell = storedCell(column, row[column.name] ?? column.default);
  return column.kind.identity?.(cell) ?? cell;
}
