import Table from 'cli-table3';

const SIDES = ['top', 'bottom', 'left', 'right', 'mid'] as const;
const NOTHING = Object.fromEntries(
  SIDES.flatMap((side) => ['', '-mid', '-left', '-right'].map((part) => [`${side}${part}`, ''])),
);

export interface Column {
  readonly name: string;
  readonly align?: 'left' | 'right';
}

/** Formats rows as aligned columns with headers, without lines. */
export function columns(names: readonly Column[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: names.map(({ name }) => name),
    colAligns: names.map(({ align = 'left' }) => align),
    chars: { ...NOTHING, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return trimmed(table.toString());
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
