import { existsSync } from 'node:fs';
import { StoreUnavailableError } from '../store.ts';
import { readDatabaseIds } from './database-id.ts';
import { inspectFile } from './inspect-file.ts';

/**
 * The condition on which a new database may be created: without files of an old one, always, or never. `always` also
 * accepts a database of another history.
 */
export type NewDatabase = 'without-traces' | 'always' | 'never';

const HOW = 'or start once with --new to continue without the old one: every bot then fetches all settings again';

/**
 * Checks whether the database at this path may be opened. A new database in place of a lost one would return the defaults
 * for every guild, and bots would replace their copies with them.
 * @throws StoreUnavailableError saying what was found and what to do
 */
export function admitFile(path: string, newDatabase: NewDatabase): void {
  const knownIds = readDatabaseIds(path);
  // Before the file is opened: SQLite deletes the -wal of an empty file.
  const companions = ['-wal', '-shm'].filter((suffix) => existsSync(`${path}${suffix}`));
  const content = inspectFile(path);
  switch (content.kind) {
    case 'nothing':
    case 'begun': {
      const found = content.kind === 'nothing' && !existsSync(path) ? 'no file' : 'an empty file';
      if (newDatabase === 'never') {
        throw new StoreUnavailableError(`Expected a database of this service, found ${found}. Check the path.`);
      }
      if (newDatabase === 'always') return;
      const traces = content.kind === 'nothing' ? companions : [];
      if (knownIds.length > 0) traces.push('-id');
      if (traces.length === 0) return;
      throw new StoreUnavailableError(
        `Expected the database that was here before, found ${found} beside ${traces.join(' and ')} of the old one. Put the file or a backup in its place, ${HOW}.`,
      );
    }
    case 'foreign':
      throw new StoreUnavailableError(
        `Expected a database of this service, found one with the tables ${content.tables.slice(0, 5).join(', ')}. Check the path.`,
      );
    case 'database':
      if (newDatabase === 'always' || knownIds.length === 0 || knownIds.includes(content.id)) return;
      throw new StoreUnavailableError(
        `Expected the database ${knownIds.at(-1)}, found ${content.id}: another file, or a -wal of another file. Put the right one in its place, ${HOW}.`,
      );
  }
}
