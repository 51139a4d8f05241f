import { readDatabaseUrl } from '../config.ts';
import { migratePostgres } from '../store/postgres/database.ts';
import { asStoreError } from '../store/postgres/failures.ts';
import { databaseOf, readCommandLine, runCommand, UsageError } from './command-line.ts';

const HELP = `Brings a PostgreSQL database to the newest schema. Run it before the version of the api that needs it is started; it may
run while an older version is serving, and several times.

  DATABASE_URL=postgres://... npx --yes pnpm@12 --filter @guild-settings/api migrate
  npx --yes pnpm@12 --filter @guild-settings/api migrate --to postgres://...

SQLite files are brought up to date when the api starts.`;

await runCommand(HELP, async () => {
  const given = readCommandLine({ to: { required: false } }, process.argv.slice(2));
  if (given === null) return null;
  const address = given.to ?? readDatabaseUrl();
  if (address === '') throw new UsageError('Expected --to or the variable DATABASE_URL, received neither.');
  const { url } = databaseOf('to', address, 'postgres');
  await migratePostgres(url).catch((error: unknown) => {
    throw asStoreError(error);
  });
  return given.json ? JSON.stringify({ migrated: true }) : 'The database is up to date.';
});
