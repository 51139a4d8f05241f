import { backUp } from '../store/sqlite/back-up.ts';
import { databaseOf, readCommandLine, runCommand } from './command-line.ts';

const HELP = `Copies an api's or a bot's SQLite file while it is in use, and checks the copy.

  npx --yes pnpm@12 --filter @guild-settings/api backup --from file:./data/guild-settings.db --to file:./backups/today.db

The copy is as of one moment. It has its name only when it is complete, checked and on the disk. To go back to it, stop the api, put it in the place of the file, without -wal and -shm
beside it, and start the api: bots notice that it is an older one and fetch everything anew.`;

await runCommand(HELP, async () => {
  const given = readCommandLine({ from: { required: true }, to: { required: true } }, process.argv.slice(2));
  if (given === null) return null;
  const from = databaseOf('from', given.from, 'sqlite').path;
  const to = databaseOf('to', given.to, 'sqlite').path;
  backUp(from, to);
  return given.json ? JSON.stringify({ backup: to }) : `Copied to ${to}, and checked.`;
});
