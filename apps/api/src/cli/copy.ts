import { type CopyProgress, copyDatabase } from '../store/copy/copy-database.ts';
import { asStoreError } from '../store/postgres/failures.ts';
import { databaseOf, readCommandLine, runCommand } from './command-line.ts';

const HELP = `Moves an api's SQLite database to PostgreSQL: guilds, the change log, revisions and epochs, so that no bot has to fetch
anything anew. Stop the api first. The target has to be migrated and empty, or to hold a copy that was broken off, which
is then gone on with. At the end every row is compared.

  npx --yes pnpm@12 --filter @guild-settings/api copy --from file:./data/guild-settings.db --to postgres://...

Options
  --json      print lines of JSON
  -h, --help  print this`;

await runCommand(HELP, async () => {
  const given = readCommandLine({ from: { required: true }, to: { required: true } }, process.argv.slice(2));
  if (given === null) return null;
  const from = databaseOf('from', given.from, 'sqlite');
  const to = databaseOf('to', given.to, 'postgres');
  const onProgress = (progress: CopyProgress) => {
    console.error(given.json ? JSON.stringify(progress) : line(progress));
  };
  const copied = await copyDatabase({ path: from.path, url: to.url, onProgress }).catch((error: unknown) => {
    throw asStoreError(error);
  });
  if (given.json) return JSON.stringify(copied);
  return `Copied ${copied.guilds} guilds and ${copied.changes} changes up to revision ${copied.revision}; every row was compared.`;
});

function line({ step, table, done, total }: CopyProgress): string {
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${step} ${table}: ${done} of ${total} (${percent} %)`;
}
