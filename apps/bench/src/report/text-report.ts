import type { Result } from '../row.ts';
import { bars } from './bars.ts';
import { columns } from './columns.ts';
import { costOf, short, spreadOf } from './numbers.ts';

/** Formats results as text: a table, and a chart of each row and its peers. */
export function textReport(results: readonly Result[]): string {
  const table = columns(
    [
      { name: 'id' },
      { name: 'ours', align: 'right' },
      { name: 'peer', align: 'right' },
      { name: 'unit' },
      { name: 'ratio', align: 'right' },
      { name: 'spread', align: 'right' },
      { name: 'CPU µs / peer', align: 'right' },
      { name: 'target' },
      { name: 'met' },
    ],
    results.map(({ id, unit, ours, peers, ratio, spread, cpu, target, met }) => [
      id,
      short(ours),
      short(Object.values(peers)[0] ?? null),
      unit,
      short(ratio),
      spreadOf(spread),
      costOf(cpu),
      target,
      met ? '✓' : '✗ missed',
    ]),
  );
  const notes = results.flatMap(({ id, notes = [] }) => notes.map((note) => `${id}: ${note}`));
  return [table, ...results.map(chart), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}

function chart({ id, what, unit, ours, peers }: Result): string {
  return `${id}: ${what}, ${unit}\n${bars([['ours', ours], ...Object.entries(peers)])}`;
}
