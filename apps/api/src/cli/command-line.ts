import { parseArgs } from 'node:util';
import { type DatabaseConfig, DatabaseUrl } from '../config.ts';
import { explainFailure } from '../ops/explain-failure.ts';
import { failureHint } from '../ops/failure-hint.ts';
import { redact, secretsIn } from '../ops/redact.ts';
import { CopyRefusedError } from '../store/copy/copy-database.ts';
import { BackupRefusedError, DamagedBackupError } from '../store/sqlite/back-up.ts';
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
    if (required && values[name] === undefined)
      throw new UsageError(`Expected --${name}, which is missing. --help explains it.`);
  }
  return { ...values, json: values.json === true } as Given<S>;
}

function parse(shape: Shape, args: readonly string[]): Record<string, string | boolean | undefined> {
  try {
    const named = Object.fromEntries(Object.keys(shape).map((name) => [name, { type: 'string' as const }]));
    const options = { ...named, json: { type: 'boolean' as const }, help: { type: 'boolean' as const, short: 'h' } };
    const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) throw new UsageError(`Expected --${repeated} once, received it more than once.`);
    return values as Record<string, string | boolean | undefined>;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${error instanceof Error ? error.message : error}. --help lists the options.`);
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
  throw new UsageError(`Expected ${expected} for --${option}, received something else, which is not shown.`);
}

/** Runs a command. What it throws is explained in one line on standard error, without a secret. */
export async function runCommand(help: string, command: () => Promise<string | null>): Promise<void> {
  try {
    console.log((await command()) ?? help);
  } catch (error) {
    const { DATABASE_URL, PGPASSWORD } = process.env;
    const secrets = [...secretsIn([...process.argv, DATABASE_URL]), PGPASSWORD ?? ''];
    console.error(isOurs(error) ? redact(oneLine(error.message), secrets) : explainFailure(error, secrets));
    const isUsage = error instanceof UsageError || error instanceof BackupRefusedError;
    process.exitCode = isUsage ? 2 : 1;
  }
}

const oneLine = (message: string) => message.replace(/\s*\n\s*/g, ' ');

/** Whether an error has all to act on in its message, and no cause from outside that would add to it. */
function isOurs(error: unknown): error is Error {
  const ours = [UsageError, CopyRefusedError, BackupRefusedError, DamagedBackupError, StoreUnavailableError];
  return ours.some((kind) => error instanceof kind) && failureHint(error) === undefined;
}
