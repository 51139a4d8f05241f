/** Formats rows as indented columns. The last column is not padded, so it may contain text of any script. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)))
    .map((cells) => `  ${cells.join('  ')}`)
    .join('\n');
}
