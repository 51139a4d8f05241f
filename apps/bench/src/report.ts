import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { markdownTable } from 'markdown-table';
import type { Result, Row } from './bench.ts';

const COLUMNS = ['row', 'ours', 'peers', 'unit', 'ratio', 'spread', 'CPU µs / peer', 'goal', 'met'] as const;
const ALIGNMENT = ['', 'r', 'r', '', 'r', 'r', 'r', '', ''] as const;

export function reportOf(results: readonly Result[]): string {
  const table = markdownTable([[...COLUMNS], ...results.map(cellsOf)], { align: [...ALIGNMENT] });
  const notes = results.flatMap(({ id, notes = [] }) => notes.map((note) => `${id}: ${note}`));
  return [table, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

const BEGIN = '<!-- measured: begin (written by bench --docs) -->';
const END = '<!-- measured: end -->';

/**
 * Replaces the text between the two markers of a Markdown page with the figures and the table of all rows. A row that was not
 * measured keeps the line that it has in the page.
 */
export function withResults(
  page: string,
  rows: readonly Row[],
  results: readonly Result[],
  machine: ReturnType<typeof thisMachine>,
): string {
  const [before, rest, ...further] = page.split(BEGIN);
  const [last, after, ...more] = rest?.split(END) ?? [];
  if (before === undefined || last === undefined || after === undefined || further.length > 0 || more.length > 0)
    throw new Error(`Expected one ${BEGIN} and one ${END} after it.`);
  const lines = new Map<string, string[]>(rows.map(({ id }) => [id, [`\`${id}\``, ...COLUMNS.map(() => '-')]]));
  for (const line of last.split('\n')) {
    const cells = line.split('|').slice(1, -1);
    const id = cells[0]?.trim().slice(1, -1) ?? '';
    if (lines.has(id))
      lines.set(
        id,
        cells.map((cell) => cell.trim()),
      );
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

function cellsOf({ id, ours, peers, unit, ratio, spread, cpu, goal, isMet }: Result): string[] {
  const all = Object.entries(peers).map(([name, value]) => `${short(value)} (${name})`);
  return [
    `\`${id}\``,
    short(ours),
    all.join(', '),
    unit,
    short(ratio),
    spread === undefined ? '' : `${short(spread.from)}–${short(spread.to)}`,
    cpu === undefined ? '' : `${short(cpu.ours)} / ${short(Object.values(cpu.peers)[0] ?? Number.NaN)}`,
    goal,
    isMet ? 'yes' : '**no**',
  ];
}

const SHORT = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  maximumFractionDigits: 0,
});

/** Formats a number with three significant digits, or all digits before the point. */
export function short(value: number): string {
  return Number.isFinite(value) ? SHORT.format(value) : '-';
}

/** Returns the description of this machine, and the commit, with `-dirty` after local changes. */
export function thisMachine() {
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  return { description: `Node ${process.version} on ${processor}, ${availableParallelism()} cores`, commit: commit() };
}

function commit(): string {
  const cwd = fileURLToPath(new URL('../../../', import.meta.url));
  const args = ['describe', '--always', '--dirty', '--abbrev=10', '--exclude=*'];
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
  } catch {
    return 'an unknown commit';
  }
}
