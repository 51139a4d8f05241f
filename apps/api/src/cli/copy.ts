import { counted } from '@guild-settings/contract';
import { optional, required } from '@guild-settings/runtime/command-line';
import { ownCommand } from '../own-package.ts';
import { type CopyProgress, copyDatabase } from '../store/copy-database.ts';
import { asStoreError } from '../store/postgres/transaction.ts';
import { JSON_OPTION, POSTGRES_URL, postgresOfEnvironment, runCommand, SQLITE_URL } from './command-line.ts';

const PROGRAM = {
  summary: `Copies the SQLite database of an api to PostgreSQL: guilds, the change log, revisions and epochs, so that no bot has to
fetch all records. Stop the api first. The target must be migrated and empty, or hold a copy that was interrupted, which
is then continued. At the end every row is compared.`,
  usage: [
    `DATABASE_URL=postgres://... ${ownCommand('copy', '--from file:./data/guild-settings.db')}`,
    ownCommand('copy', '--from file:./data/guild-settings.db --to postgres://...'),
  ],
  options: {
    from: required(SQLITE_URL, 'the file to copy'),
    to: optional(POSTGRES_URL, 'the database to copy it to, instead of DATABASE_URL'),
    ...JSON_OPTION,
  },
};

await runCommand(PROGRAM, async ({ from, to, json }) => {
  const onProgress = (progress: CopyProgress) => {
    console.error(json ? JSON.stringify(progress) : line(progress));
  };
  const { url } = to ?? postgresOfEnvironment('Set it to the database to copy to, or name that with --to.');
  const copied = await copyDatabase({ path: from.path, url, onProgress }).catch((error: unknown) => {
    throw asStoreError(error);
  });
  if (json) return JSON.stringify(copied);
  return `Copied ${counted(copied.guilds, 'guild')} and ${counted(copied.changes, 'change')} from ${from.path}, up to revision ${copied.revision}. Every row was compared.`;
});

function line({ step, table, done, total }: CopyProgress): string {
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${step} ${table}: ${done} of ${total} (${percent} %)`;
}
