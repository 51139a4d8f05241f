import { markdownTable } from 'markdown-table';
import type { Machine } from '../machine.ts';
import type { Result, Row } from '../row.ts';
import { ALIGNMENT, COLUMNS, cellsOf } from './report.ts';

const BEGIN = '<!-- measured: begin (written by bench --docs) -->';
const END = '<!-- measured: end -->';
const NOT_MEASURED = '-';

/**
 * Replaces the text between the two markers of a Markdown page with the figures and the table of all rows. A row that was not
 * measured keeps the line that it has in the page.
 */
export function withResults(page: string, rows: readonly Row[], results: readonly Result[], machine: Machine): string {
  const [before, rest, ...further] = page.split(BEGIN);
  const [last, after, ...more] = rest?.split(END) ?? [];
  if (before === undefined || last === undefined || after === undefined || further.length > 0 || more.length > 0) {
    throw new Error(`Expected one ${BEGIN} and one ${END} after it.`);
  }
  const lines = new Map<string, string[]>(
    rows.map(({ id }) => [id, [`\`${id}\``, ...COLUMNS.map(() => NOT_MEASURED)]]),
  );
  for (const line of last.split('\n')) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const id = cells[0]?.slice(1, -1) ?? '';
    if (lines.has(id)) lines.set(id, cells);
  }
  const measured = `${new Date().toISOString().slice(0, 10)} at ${machine.commit}`;
  for (const result of results) lines.set(result.id, [...cellsOf(result), measured]);
  const table = markdownTable([[...COLUMNS, 'measured'], ...lines.values()], { align: [...ALIGNMENT, ''] });
  const figures = rows.flatMap(({ id, figure, unit }) =>
    figure === undefined ? [] : [`- ${figure}: **${lines.get(id)?.[1]} ${unit}**`],
  );
  const text = [figures.join('\n'), table, `The last run: ${machine.description}.`].join('\n\n');
  return `${before}${BEGIN}\n\n${text}\n\n${END}${after}`;
}
