import { parseArgs } from 'node:util';
import type { Row } from './row.ts';

/** The parsed command line. */
export type BenchCommand =
  | { readonly run: 'help' }
  /** Writes the documentation from the history and measures nothing. */
  | { readonly run: 'docs' }
  | MeasureCommand;

export interface MeasureCommand {
  readonly run: 'measure';
  readonly rows: readonly Row[];
  readonly profile: 'full' | 'quick';
  /** The file for results as JSON; `-` for standard output. */
  readonly json: string | undefined;
  /** The file for the plot. */
  readonly svg: string | undefined;
  readonly compare: boolean;
}

/** An invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `Measures the service beside alternatives, and whether it reaches its goals: docs/performance.md.

  npx --yes pnpm@12 bench [--quick] [--only ID] [--json FILE] [--svg FILE] [--compare] [--help]
  npx --yes pnpm@12 bench --docs

It exits 0 when every row met its goal, 1 when one did not or could not be measured, 2 after a usage error, and
130 or 143 when it was interrupted.

Options
  --quick     smaller sizes and shorter loads: under three minutes, and less exact
  --only ID   measure this row alone; a prefix selects several (start for start-api and start-bot). May be repeated, or
              be a comma-separated list
  --json FILE write the results as JSON; - for standard output, the report then goes to standard error
  --svg FILE  draw cost against size, for rows that measure it
  --compare   print each ratio beside that of the last run of the same kind
  --docs      write the last full result of each row into docs/performance.md and docs/performance.svg; measures nothing
  -h, --help  print this

Every run is kept in apps/bench/history: full ones in full.jsonl, which is committed, quick ones in quick.jsonl, which is not.`;

/**
 * Reads the arguments. A leading `--`, which some package managers pass on, is skipped.
 * @throws UsageError
 */
export function readOptions(args: readonly string[], rows: readonly Row[]): BenchCommand {
  const { help, docs, quick, only, ...rest } = parse(args[0] === '--' ? args.slice(1) : [...args]);
  if (help) return { run: 'help' };
  if (docs) {
    if (args.filter((one) => one !== '--').length > 1) {
      throw new UsageError('--docs takes no other option');
    }
    return { run: 'docs' };
  }
  if (rest.svg === '-') throw new UsageError('--svg: expected a file');
  return {
    run: 'measure',
    rows: only === undefined ? rows : chooseRows(only, rows),
    profile: quick ? 'quick' : 'full',
    json: rest.json,
    svg: rest.svg,
    compare: rest.compare,
  };
}

/** Selects rows by id or by prefix, in the order of the report. */
function chooseRows(only: readonly string[], rows: readonly Row[]): Row[] {
  const chosen = new Set<Row>();
  for (const name of only.flatMap((one) => one.split(',')).map((one) => one.trim())) {
    const exact = rows.filter(({ id }) => id === name);
    const found = exact.length > 0 ? exact : rows.filter(({ id }) => id.startsWith(`${name}-`));
    if (found.length === 0) {
      throw new UsageError(
        `--only: expected a row, received ${JSON.stringify(name)}. Rows: ${rows.map(({ id }) => id).join(', ')}`,
      );
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
    throw new UsageError(`${error instanceof Error ? error.message : error}\nSee --help.`);
  }
}
