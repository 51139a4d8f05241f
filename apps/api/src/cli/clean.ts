import { required } from '@guild-settings/command-line';
import { ownCommand } from '../own-command.ts';
import { cleanFile } from '../store/sqlite/clean-file.ts';
import { JSON_OPTION, runCommand, SQLITE_URL } from './command-line.ts';

const PROGRAM = {
  summary: `Rewrites the SQLite file of an api without its free space, so that it has no bytes of what was erased. The api does this
itself for files of up to 256 MB. Stop the api first. The folder needs as much free space as the file has bytes.`,
  usage: [ownCommand('clean', '--database file:./data/guild-settings.db')],
  options: { database: required(SQLITE_URL, 'the file to rewrite'), ...JSON_OPTION },
};

await runCommand(PROGRAM, async ({ database, json }) => {
  const { bytesBefore, bytesAfter } = await cleanFile(database.path);
  if (json) return JSON.stringify({ bytesBefore, bytesAfter });
  return `Rewrote ${database.path}: ${bytesBefore} bytes before, ${bytesAfter} after.`;
});
