import { optional } from '@guild-settings/runtime/command-line';
import { ownCommand } from '../own-package.ts';
import { migratePostgres } from '../store/postgres/database.ts';
import { asStoreError } from '../store/postgres/transaction.ts';
import { JSON_OPTION, POSTGRES_URL, postgresOfEnvironment, runCommand } from './command-line.ts';

const SQLITE_IS_MIGRATED = 'SQLite files are migrated when the api starts.';

const PROGRAM = {
  summary: `Migrates a PostgreSQL database to the newest schema. Run it before the version of the api that needs it is started. It may
run while an older version is serving, and several times.`,
  usage: [`DATABASE_URL=postgres://... ${ownCommand('migrate')}`, ownCommand('migrate', '--to postgres://...')],
  options: { to: optional(POSTGRES_URL, 'the database, instead of DATABASE_URL'), ...JSON_OPTION },
  notes: SQLITE_IS_MIGRATED,
};

await runCommand(PROGRAM, async ({ to, json }) => {
  const { url } = to ?? postgresOfEnvironment(SQLITE_IS_MIGRATED);
  await migratePostgres(url).catch((error: unknown) => {
    throw asStoreError(error);
  });
  return json ? JSON.stringify({ migrated: true }) : 'The database is up to date.';
});
