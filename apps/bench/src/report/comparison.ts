import { lastResult, type Run } from '../history/run.ts';
import type { Result } from '../row.ts';
import { columns } from './columns.ts';
import { short } from './numbers.ts';

/**
 * Formats each ratio beside the previous one of its row. Only ratios are comparable between runs: both values of a ratio were
 * measured on the same machine at the same time.
 */
export function comparison(results: readonly Result[], runs: readonly Run[]): string {
  return columns(
    [
      { name: 'id' },
      { name: 'last ratio', align: 'right' },
      { name: 'this one', align: 'right' },
      { name: 'change', align: 'right' },
      { name: 'target' },
      { name: 'last run' },
    ],
    results.map(({ id, ratio, target }) => {
      const last = lastResult(runs, id);
      if (last === undefined) return [id, '-', short(ratio), '', target, 'none'];
      const { date, commit } = last.run;
      const of = `${date.slice(0, 16).replace('T', ' ')}${commit === null ? '' : ` at ${commit}`}`;
      return [id, short(last.result.ratio), short(ratio), change(last.result.ratio, ratio), target, of];
    }),
  );
}

function change(before: number | null, after: number): string {
  if (before === null || before === 0 || !Number.isFinite(after)) return '';
  const percent = (after / before - 1) * 100;
  return `${percent >= 0 ? '+' : ''}${percent.toFixed(1)} %`;
}
