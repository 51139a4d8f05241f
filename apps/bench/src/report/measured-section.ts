import { markdownTable } from 'markdown-table';
import { describeMachine } from '../history/machine.ts';
import type { LastResult } from '../history/run.ts';
import { costOf, short, spreadOf } from './numbers.ts';

const BEGIN = '<!-- measured: begin (written by bench --docs) -->';
const END = '<!-- measured: end -->';

/** Replaces the text between the two markers of a Markdown page with the results and the plot. */
export function withMeasured(markdown: string, results: readonly LastResult[], plotFile?: string): string {
  const [before, rest, ...further] = markdown.split(BEGIN);
  const [, after, ...more] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined || further.length > 0 || more.length > 0) {
    throw new Error(`Expected one ${BEGIN} and one ${END} after it.`);
  }
  return `${before}${BEGIN}\n\n${section(results, plotFile)}\n\n${END}${after}`;
}

function section(results: readonly LastResult[], plotFile: string | undefined): string {
  if (results.length === 0) return 'Nothing has been measured in full yet.';
  const table = markdownTable(
    [
      ['row', 'ours', 'peers', 'unit', 'ratio', 'spread', 'CPU µs / peer', 'goal', 'met'],
      ...lossesFirst(results).map(({ result: { id, unit, ours, peers, ratio, spread, cpu, target, met } }) => [
        `\`${id}\``,
        short(ours),
        Object.entries(peers)
          .map(([name, value]) => `${short(value)} (${name})`)
          .join(', '),
        unit,
        short(ratio),
        spreadOf(spread),
        costOf(cpu),
        target,
        met ? 'yes' : '**no**',
      ]),
    ],
    { align: [null, 'right', 'right', null, 'right', 'right', 'right'] },
  );
  const notes = results.flatMap(({ result: { id, notes = [] } }) => notes.map((note) => `- \`${id}\`: ${note}`));
  const drawing = plotFile === undefined ? [] : [`![Cost against size](${plotFile})`];
  return [table, [...notes, ...runs(results)].join('\n'), ...drawing].join('\n\n');
}

/** Returns the rows that missed their goals, and then the others. */
function lossesFirst(results: readonly LastResult[]): LastResult[] {
  return results.toSorted((one, other) => Number(one.result.met) - Number(other.result.met));
}

/** Lists when and on which machine the rows were measured. */
function runs(results: readonly LastResult[]): string[] {
  const ids = new Map<string, string[]>();
  for (const { run, result } of results) {
    const measured = `Measured ${run.date.slice(0, 10)} with ${describeMachine(run)}`;
    ids.set(measured, [...(ids.get(measured) ?? []), `\`${result.id}\``]);
  }
  return [...ids].map(([run, rows]) => `- ${run}${ids.size === 1 ? '' : `: ${rows.join(', ')}`}.`);
}
