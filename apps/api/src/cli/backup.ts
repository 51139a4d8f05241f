import { required } from '@guild-settings/runtime/command-line';
import { ownCommand } from '../own-package.ts';
import { backUp } from '../store/sqlite/back-up.ts';
import { JSON_OPTION, runCommand, SQLITE_URL } from './command-line.ts';

const PROGRAM = {
  summary: 'Copies the SQLite file of an api or a bot while it is in use, and checks the copy.',
  usage: [ownCommand('backup', '--from file:./data/guild-settings.db --to file:./backups/today.db')],
  options: {
    from: required(SQLITE_URL, 'the file to copy'),
    to: required(SQLITE_URL, 'the copy, which must not exist yet'),
    ...JSON_OPTION,
  },
  notes: `The copy is a snapshot of one moment. It gets its name when it is complete, checked and flushed to the disk. To restore it,
stop the api, replace the file with the copy, remove -wal and -shm beside it, and start the api. Bots notice that the
file is older and fetch all records.`,
};

await runCommand(PROGRAM, async ({ from, to, json }) => {
  backUp(from.path, to.path);
  return json ? JSON.stringify({ backup: to.path }) : `Copied ${from.path} to ${to.path} and checked the copy.`;
});
