import { parseArgs } from 'node:util';
import { type DatabaseConfig, DatabaseUrl } from '../config.ts';
import { CopyRefusedError } from '../store/copy/copy-database.ts';
import { StoreUnavailableError } from '../store/store.ts';

/** The command line asks for something that there is not; the message says what was expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options of a command: those that take a value, and whether they are required. */
type Shape = Readonly<Record<string, { readonly required: boolean }>>;

/** What was given, `--json` and `--help` included. */
type Given<S extends Shape> = {
  readonly [Name in keyof S]: S[Name] extends { readonly required: true } ? string : string | undefined;
} & { readonly json: boolean };

/**
 * Reads the arguments of a command. A leading `--`, which some package managers pass on, is skipped.
 * @returns null when help is asked for
 * @throws UsageError
 */
export function readCommandLine<S extends Shape>(shape: S, args: readonly string[]): Given<S> | null {
  const values = parse(shape, args[0] === '--' ? args.slice(1) : args);
  if (values.help === true) return null;
  for (const [name, { required }] of Object.entries(shape)) {
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing.\n--help says what it is.`);
  }
  return { ...values, json: values.json === true } as Given<S>;
}

function parse(shape: Shape, args: readonly string[]): Record<string, string | boolean | undefined> {
  try {
    const named = Object.fromEntries(Object.keys(shape).map((name) => [name, { type: 'string' as const }]));
    const options = { ...named, json: { type: 'boolean' as const }, help: { type: 'boolean' as const, short: 'h' } };
    return parseArgs({ args: [...args], options }).values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n--help lists what there is.`);
  }
}

/**
 * The database of an address, of the one kind that fits.
 * @throws UsageError without showing the address, which may hold a password
 */
export function databaseOf<Kind extends DatabaseConfig['kind']>(
  option: string,
  address: string,
  kind: Kind,
): Extract<DatabaseConfig, { kind: Kind }> {
  const { success, data } = DatabaseUrl.safeParse(address);
  if (success && data.kind === kind) return data as Extract<DatabaseConfig, { kind: Kind }>;
  const expected = kind === 'sqlite' ? 'file:<path>' : 'postgres://<user>:<password>@<host>/<database>';
  throw new UsageError(`--${option}: expected ${expected}`);
}

/** Runs a command: what it throws is said in a line, or as a whole when nobody expected it. */
export async function runCommand(help: string, command: () => Promise<string | null>): Promise<void> {
  try {
    console.log((await command()) ?? help);
  } catch (error) {
    console.error(isExpected(error) ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** What the commands say themselves, and what the network says of an address. */
function isExpected(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const ours = [UsageError, CopyRefusedError, StoreUnavailableError];
  return ours.some((kind) => error instanceof kind) || ('code' in error && /^E[A-Z]+$/.test(String(error.code)));
}
