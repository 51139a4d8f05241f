import { markdownTable } from 'markdown-table';
import type { Result } from '../row.ts';

export const COLUMNS = ['row', 'ours', 'peers', 'unit', 'ratio', 'spread', 'CPU µs / peer', 'goal', 'met'] as const;

export const ALIGNMENT = ['', 'r', 'r', '', 'r', 'r', 'r', '', ''] as const;

export function reportOf(results: readonly Result[]): string {
  const table = markdownTable([[...COLUMNS], ...results.map(cellsOf)], { align: [...ALIGNMENT] });
  const notes = results.flatMap(({ id, notes = [] }) => notes.map((note) => `${id}: ${note}`));
  return [table, ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

export function cellsOf({ id, ours, peers, unit, ratio, spread, cpu, goal, isMet }: Result): string[] {
  return [
    `\`${id}\``,
    short(ours),
    Object.entries(peers)
      .map(([name, value]) => `${short(value)} (${name})`)
      .join(', '),
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
