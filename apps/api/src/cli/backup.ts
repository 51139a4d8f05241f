import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { databaseOf, readCommandLine, runCommand, UsageError } from './command-line.ts';

const HELP = `Copies an api's or a bot's SQLite file while it is in use, and checks the copy.

  npx --yes pnpm@12 --filter @guild-settings/api backup --from file:./data/guild-settings.db --to file:./backups/today.db

The copy is as of one moment. To go back to it, stop the api, put it in the place of the file, without -wal and -shm
beside it, and start the api: bots notice that it is an older one and fetch everything anew.`;

await runCommand(HELP, async () => {
  const given = readCommandLine({ from: { required: true }, to: { required: true } }, process.argv.slice(2));
  if (given === null) return null;
  const from = databaseOf('from', given.from, 'sqlite').path;
  const to = databaseOf('to', given.to, 'sqlite').path;
  if (!existsSync(from)) throw new UsageError(`--from: there is no file ${from}`);
  if (existsSync(to)) throw new UsageError(`--to: there is a file ${to} already; it is not overwritten`);
  const source = new Database(from, { readonly: true });
  try {
    // Reads one snapshot, so that writers need not wait and cannot make it begin anew.
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  const copy = new Database(to);
  try {
    const verdict = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new Error(`The copy is damaged: ${verdict}`);
  } finally {
    copy.close();
  }
  return given.json ? JSON.stringify({ backup: to }) : `Copied to ${to}, and checked.`;
});
