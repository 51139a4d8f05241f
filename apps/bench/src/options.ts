import { flag, optional, type Program, repeatable, text, UsageError, type Values } from '@guild-settings/command-line';
import type { Row } from './row.ts';

/** The files that a bench run writes, and what it measures. */
export interface MeasureCommand {
  readonly run: 'measure';
  readonly rows: readonly Row[];
  readonly profile: 'full' | 'quick';
  /** The file of the results as JSON; `-` for standard output. */
  readonly json: string | undefined;
  /** The file of the plot. */
  readonly svg: string | undefined;
  readonly compare: boolean;
}

/** What to do: `docs` writes the documentation from the history, and measures nothing. */
export type BenchCommand = { readonly run: 'docs' } | MeasureCommand;

const FILE = text('FILE');

const OPTIONS = {
  quick: flag('smaller sizes and shorter loads: some minutes, and less exact'),
  only: repeatable(
    text('ID'),
    `this row alone; a prefix selects several (start for start-api and start-bot). May be repeated, or be
a comma-separated list`,
  ),
  json: optional(
    FILE,
    'write the results as JSON; - for standard output, the report is then written to standard error',
  ),
  svg: optional(
    { ...FILE, expected: 'a file', parse: (file: string) => (file === '-' ? undefined : file) },
    'draw cost against size, for rows that measure it',
  ),
  compare: flag('print each ratio beside that of the last run of the same kind'),
  docs: flag(`write the last full result of each row into docs/performance.md and docs/performance.svg;
measures nothing`),
};

export const PROGRAM = {
  summary: `Measures the service beside alternatives, and compares the results with its goals: docs/performance.md.

It exits 0 when every row met its goal, 1 when one did not or could not be measured, 2 for wrong arguments, and 130 or 143
when it was interrupted.`,
  usage: [
    'npx --yes pnpm@12 bench [--quick] [--only ID] [--json FILE] [--svg FILE] [--compare] [--help]',
    'npx --yes pnpm@12 bench --docs',
  ],
  options: OPTIONS,
  notes: `Every run is kept in apps/bench/history: full ones in full.jsonl, which is committed, quick ones in quick.jsonl on this
machine.

BENCH_API=/path/of/another/clone/apps/api/dist/main.js measures the api of another clone.`,
} satisfies Program<typeof OPTIONS>;

/**
 * Returns the command that the options describe.
 * @throws UsageError
 */
export function commandOf(options: Values<typeof OPTIONS>, rows: readonly Row[]): BenchCommand {
  const { docs, quick, only, json, svg, compare } = options;
  if (docs) {
    if (quick || compare || only.length > 0 || json !== undefined || svg !== undefined) {
      throw new UsageError('Expected --docs alone: it uses the full runs of the history.');
    }
    return { run: 'docs' };
  }
  const chosen = only.length === 0 ? rows : chooseRows(only, rows);
  return { run: 'measure', rows: chosen, profile: quick ? 'quick' : 'full', json, svg, compare };
}

/** Returns the rows with these ids, or whose ids begin with these names, in the order of the report. */
function chooseRows(only: readonly string[], rows: readonly Row[]): Row[] {
  const chosen = new Set<Row>();
  for (const name of only.flatMap((one) => one.split(',')).map((one) => one.trim())) {
    const exact = rows.filter(({ id }) => id === name);
    const found = exact.length > 0 ? exact : rows.filter(({ id }) => id.startsWith(`${name}-`));
    if (found.length === 0) {
      const expected = rows.map(({ id }) => id).join(', ');
      throw new UsageError(`Expected ids of rows for --only (${expected}), received ${JSON.stringify(name)}.`);
    }
    for (const row of found) chosen.add(row);
  }
  return rows.filter((row) => chosen.has(row));
}
