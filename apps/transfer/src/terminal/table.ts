import Table from 'cli-table3';

/** A column: its name, and the side of its texts. */
export interface Column {
  readonly name: string;
  readonly align?: 'left' | 'right';
}

/** Formats rows as a table without colours. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const formatted = new Table({
    head: columns.map(({ name }) => name),
    colAligns: columns.map(({ align = 'left' }) => align),
    style: { head: [], border: [], compact: true },
  });
  formatted.push(...rows.map((row) => [...row]));
  return formatted.toString();
}
