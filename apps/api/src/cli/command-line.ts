import { resolve } from 'node:path';
import {
  failureHint,
  flag,
  type OptionShape,
  type Program,
  runProgram,
  UsageError,
  type Values,
  type ValueType,
} from '@guild-settings/runtime/command-line';
import { type DatabaseConfig, DatabaseUrl, EnvironmentError } from '@guild-settings/runtime/environment';
import { createRedactor } from '@guild-settings/runtime/log';
import { EarlierDatabaseError } from '@guild-settings/runtime/sqlite-file';
import { callerFolder, readDatabaseUrl, startSecrets } from '../config.ts';
import { DeclarationError } from '../declaration/read-declaration.ts';
import { explainFailure } from '../explain-failure.ts';
import { CopyRefusedError } from '../store/copy-database.ts';
import { BackupRefusedError, DamagedBackupError } from '../store/sqlite/back-up.ts';
import { StoreUnavailableError } from '../store/store.ts';

export const JSON_OPTION = { json: flag('print lines of JSON') };

type DatabaseOf<Kind extends DatabaseConfig['kind']> = Extract<DatabaseConfig, { kind: Kind }>;

/** The URL of a PostgreSQL or SQLite database. A relative SQLite path starts in the caller's working directory. */
export const DATABASE_URL: ValueType<DatabaseConfig> = {
  ...databaseUrl('file:<path> or postgres://<user>:<password>@<host>/<database>'),
  parse: (url) => SQLITE_URL.parse(url) ?? POSTGRES_URL.parse(url),
};

/** The URL of a SQLite file, parsed to its absolute path. A relative path starts in the caller's working directory. */
export const SQLITE_URL: ValueType<DatabaseOf<'sqlite'>> = {
  ...databaseUrl('file:<path>'),
  parse(url) {
    const database = DatabaseUrl.safeParse(url).data;
    return database?.kind === 'sqlite' ? { ...database, path: resolve(callerFolder(), database.path) } : undefined;
  },
};

export const POSTGRES_URL: ValueType<DatabaseOf<'postgres'>> = {
  ...databaseUrl('postgres://<user>:<password>@<host>/<database>'),
  parse(url) {
    const database = DatabaseUrl.safeParse(url).data;
    return database?.kind === 'postgres' ? database : undefined;
  },
};

/**
 * Returns the PostgreSQL database of DATABASE_URL. Its password is in no argument, which other users of the machine could read.
 * @param ofFile added to the refusal of a SQLite file
 * @throws UsageError
 */
export function postgresOfEnvironment(ofFile: string): DatabaseOf<'postgres'> {
  const url = readDatabaseUrl();
  if (url === '') throw new UsageError('Expected --to or the variable DATABASE_URL, received neither.');
  const database = POSTGRES_URL.parse(url);
  if (database) return database;
  const received = SQLITE_URL.parse(url) ? `a file. ${ofFile}` : 'a hidden value.';
  throw new UsageError(`Expected ${POSTGRES_URL.expected} for DATABASE_URL, received ${received}`);
}

/** Messages omit the URL, because it may contain a password. */
function databaseUrl(expected: string) {
  return { placeholder: 'URL', expected, isSecret: true };
}

/** Runs a command and prints its result. Errors are printed in one line on standard error, without secrets. */
export async function runCommand<Shape extends OptionShape>(
  program: Program<Shape>,
  command: (values: Values<Shape>) => Promise<string>,
): Promise<void> {
  await runProgram(program, async (values) => console.log(await command(values)), explain);
}

function explain(error: unknown) {
  const redactor = createRedactor({ secrets: startSecrets(process.argv), isStrict: true });
  if (error instanceof UsageError) {
    return { output: redactor.redact(oneLine(`${error.message} --help lists the options.`)), exitCode: 2 };
  }
  // A line per flaw.
  if (error instanceof DeclarationError) return { output: redactor.redact(error.message), exitCode: 1 };
  const output = isComplete(error) ? redactor.redact(oneLine(error.message)) : explainFailure(error, redactor);
  return { output, exitCode: error instanceof BackupRefusedError ? 2 : 1 };
}

const oneLine = (message: string) => message.replace(/\s*\n\s*/g, ' ');

/** Returns true if an error's message is complete for an operator, without an external cause. */
function isComplete(error: unknown): error is Error {
  const complete = [
    CopyRefusedError,
    BackupRefusedError,
    DamagedBackupError,
    EarlierDatabaseError,
    EnvironmentError,
    StoreUnavailableError,
  ];
  return complete.some((kind) => error instanceof kind) && failureHint(error) === undefined;
}
