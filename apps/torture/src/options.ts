import { parseArgs } from 'node:util';
import type { StoreKind } from './cluster/cluster.ts';

/** The parsed command line. */
export interface TortureCommand {
  readonly store: StoreKind;
  readonly rounds: number;
  readonly seed: number;
  readonly apiMain: string | undefined;
  readonly json: boolean;
}

/** An invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `Tortures the service: api processes and a bot under load, while processes are killed and stopped, connections are
cut, disks run full, clocks are stepped and Discord fails. Then it checks every guarantee.

  npx --yes pnpm@12 torture [--store sqlite|postgres] [--rounds N] [--seed S] [--json] [--help]

It exits 1 when a guarantee was broken, and prints how to repeat the run.

Options
  --store     sqlite: one process and a file; postgres: four processes and a server (sqlite)
  --rounds    the number of rounds with one to three faults at a time (20)
  --seed      repeats the random choices of another run, not its timing
  --api       another build of the api's main.js, such as one with a known fault
  --json      print one line of JSON
  -h, --help  print this

To fill a disk it mounts a small one, which takes root. Without root that fault is left out, and the report notes it.`;

/**
 * Reads the arguments. A leading `--`, which some package managers pass on, is skipped.
 * @returns null for --help
 * @throws UsageError
 */
export function readOptions(args: readonly string[]): TortureCommand | null {
  const values = parse(args[0] === '--' ? args.slice(1) : [...args]);
  if (values.help) return null;
  const { store, api: apiMain, json } = values;
  if (store !== 'sqlite' && store !== 'postgres') throw new UsageError('--store: expected sqlite or postgres');
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : wholeNumber('seed', values.seed);
  return { store, rounds: wholeNumber('rounds', values.rounds), seed, apiMain, json };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        store: { type: 'string', default: 'sqlite' },
        rounds: { type: 'string', default: '20' },
        seed: { type: 'string' },
        api: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\nSee --help.`);
  }
}

function wholeNumber(option: string, value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new UsageError(`--${option}: expected a whole number, received ${value}`);
  return Number(value);
}
