import { parseArgs } from 'node:util';
import type { StoreKind } from './cluster/cluster.ts';

/** What the command line asks for. */
export interface TortureCommand {
  readonly store: StoreKind;
  readonly rounds: number;
  readonly seed: number;
  readonly apiMain: string | undefined;
  readonly json: boolean;
}

/** The command line asks for something that there is not. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const HELP = `Tortures the service: api processes and a bot under load, while processes are killed and stopped, wires are cut, disks
run full, clocks step and Discord fails. Then it looks whether every promise was kept.

  npx --yes pnpm@12 torture [--store sqlite|postgres] [--rounds N] [--seed S] [--json] [--help]

It exits 1 when a promise was broken, and says how to try again.

Options
  --store     which store: sqlite, one process and a file; postgres, four processes and a real server (sqlite)
  --rounds    how often one to three things fail at a time (20)
  --seed      repeats the choices of another run; when exactly things happen is the machine's affair
  --api       another build of the api's main.js, such as one that breaks a promise
  --json      print one line of JSON
  -h, --help  print this

To fill a disk up it mounts a small one, which takes root; elsewhere that fault is left out, and the report says so.`;

/**
 * Reads the arguments. A leading `--`, which some package managers pass on, is skipped.
 * @returns null when help is asked for
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
    throw new UsageError(`${error instanceof Error ? error.message : error}\n--help lists what there is.`);
  }
}

function wholeNumber(option: string, value: string): number {
  if (!/^\d{1,10}$/.test(value)) throw new UsageError(`--${option}: expected a whole number, not ${value}`);
  return Number(value);
}
