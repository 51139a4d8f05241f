import { parseArgs } from 'node:util';
import type { Row } from './row.ts';

/** What the command line asks for. */
export type BenchCommand =
  | { readonly run: 'help' }
  /** The documentation is written from the history; nothing is measured. */
  | { readonly run: 'docs' }
  | MeasureCommand;

export interface MeasureCommand {
  readonly run: 'measure';
  readonly rows: readonly Row[];
  readonly effort: 'full' | 'quick';
  /** Where the results go as JSON, `-` for standard output. */
  readonly json: string | undefined;
  /** Where the plot goes. */
  readonly svg: string | undefined;
  readonly compare: boolean;
}

/** The command line asks for something that there is not. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `Measures the service beside what people use today, and says whether it reaches its goals: docs/performance.md.

  npx --yes pnpm@12 bench [--quick] [--only ID] [--json FILE] [--svg FILE] [--compare] [--help]
  npx --yes pnpm@12 bench --docs

It exits 0 when every row met its goal, 1 when one did not or could not be measured, 2 when it was called wrongly, and
130 or 143 when it was interrupted.

Options
  --quick     smaller sizes and shorter loads: under three minutes, and less exact
  --only ID   this row alone; ID may be the beginning of several (start for start-api and start-bot). May be repeated,
              or be a list with commas
  --json FILE write the results as JSON; - for standard output, the report then goes to standard error
  --svg FILE  draw cost against size, where rows measured it
  --compare   print each ratio beside that of the last run of the same kind
  --docs      write the last full result of each row into docs/performance.md and docs/performance.svg; measures nothing
  -h, --help  print this

Every run is kept in apps/bench/history: full ones in full.jsonl, for all to see, quick ones in quick.jsonl on this machine.`;

/**
 * Reads the arguments. A leading `--`, which some package managers pass on, is skipped.
 * @throws UsageError
 */
export function readOptions(args: readonly string[], rows: readonly Row[]): BenchCommand {
  const { help, docs, quick, only, ...rest } = parse(args[0] === '--' ? args.slice(1) : [...args]);
  if (help) return { run: 'help' };
  if (docs) {
    if (args.filter((one) => one !== '--').length > 1) {
      throw new UsageError('--docs goes by the full runs in the history and takes no other option');
    }
    return { run: 'docs' };
  }
  if (rest.svg === '-') throw new UsageError('--svg: expected a file');
  return {
    run: 'measure',
    rows: only === undefined ? rows : chooseRows(only, rows),
    effort: quick ? 'quick' : 'full',
    json: rest.json,
    svg: rest.svg,
    compare: rest.compare,
  };
}

/** The rows that are named, by their ids or by what several ids begin with, in the order of the report. */
function chooseRows(only: readonly string[], rows: readonly Row[]): Row[] {
  const chosen = new Set<Row>();
  for (const name of only.flatMap((one) => one.split(',')).map((one) => one.trim())) {
    const exact = rows.filter(({ id }) => id === name);
    const found = exact.length > 0 ? exact : rows.filter(({ id }) => id.startsWith(`${name}-`));
    if (found.length === 0) {
      throw new UsageError(`--only: there is no ${name || '(empty)'}, but ${rows.map(({ id }) => id).join(', ')}`);
    }
    for (const row of found) chosen.add(row);
  }
  return rows.filter((row) => chosen.has(row));
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        json: { type: 'string' },
        svg: { type: 'string' },
        compare: { type: 'boolean', default: false },
        docs: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n--help lists what there is.`);
  }
}
