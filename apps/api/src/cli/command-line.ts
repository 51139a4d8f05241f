import {
  flag,
  type OptionShape,
  type Program,
  runProgram,
  UsageError,
  type Values,
  type ValueType,
} from '@guild-settings/command-line';
import { createRedactor } from '@guild-settings/log-redaction';
import { type DatabaseConfig, DatabaseUrl, startSecrets } from '../config.ts';
import { explainFailure } from '../ops/explain-failure.ts';
import { failureHint } from '../ops/failure-hint.ts';
import { CopyRefusedError } from '../store/copy/copy-database.ts';
import { BackupRefusedError, DamagedBackupError } from '../store/sqlite/back-up.ts';
import { StoreUnavailableError } from '../store/store.ts';

/** The option that every command has. */
export const JSON_OPTION = { json: flag('print lines of JSON') };

/** The URL of a SQLite file. */
export const SQLITE_URL = databaseUrl('sqlite', 'file:<path>');

/** The URL of a PostgreSQL database. */
export const POSTGRES_URL = databaseUrl('postgres', 'postgres://<user>:<password>@<host>/<database>');

/** Makes the type of a database URL of one kind. Messages leave the URL out, because it may hold a password. */
function databaseUrl<Kind extends DatabaseConfig['kind']>(
  kind: Kind,
  expected: string,
): ValueType<Extract<DatabaseConfig, { kind: Kind }>> {
  const isOfKind = (database: DatabaseConfig): database is Extract<DatabaseConfig, { kind: Kind }> =>
    database.kind === kind;
  const parse = (url: string) => {
    const { data } = DatabaseUrl.safeParse(url);
    return data && isOfKind(data) ? data : undefined;
  };
  return { placeholder: 'URL', expected, isSecret: true, parse };
}

/** Runs a command and prints what it returns. An error is printed in one line on standard error, without a secret. */
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
  const output = isComplete(error) ? redactor.redact(oneLine(error.message)) : explainFailure(error, redactor);
  return { output, exitCode: error instanceof BackupRefusedError ? 2 : 1 };
}

const oneLine = (message: string) => message.replace(/\s*\n\s*/g, ' ');

/** Whether an error's message is all that an operator needs, without the cause from outside. */
function isComplete(error: unknown): error is Error {
  const complete = [CopyRefusedError, BackupRefusedError, DamagedBackupError, StoreUnavailableError];
  return complete.some((kind) => error instanceof kind) && failureHint(error) === undefined;
}
