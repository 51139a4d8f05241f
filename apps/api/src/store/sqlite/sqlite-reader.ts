import { ErasureCipher } from '../erasure/erasure-cipher.ts';
import { type Store, StoreUnavailableError } from '../store.ts';
import { openForReading } from './database.ts';
import { presentEpoch } from './epochs.ts';
import { GuildCache } from './guild-cache.ts';
import { openReads, type SqliteReads } from './reads.ts';
import { meta } from './schema.ts';
import { prepareStatements, storedGuildOf } from './statements.ts';
import { withStoreErrors } from './transaction.ts';

/** The reading operations of a store on a SQLite file that another process writes. */
export type SqliteReader = SqliteReads & Pick<Store, 'read' | 'reportedShards'> & { close(): void };

/**
 * Opens a SQLite file that another process has opened as a store, and writes until after this reader is closed. Each read sees
 * every commit that was acknowledged before it began: no read shares a transaction with an earlier one.
 * @throws StoreUnavailableError when the file cannot be opened
 */
export function openSqliteReader(path: string): SqliteReader {
  const db = openForReading(path);
  const key = db.select({ key: meta.erasureKey }).from(meta).get()?.key;
  if (key == null) throw new StoreUnavailableError('Expected a file that a store has opened, found none of its keys');
  const statements = prepareStatements(db);
  const cache = new GuildCache(db, (id) => storedGuildOf(statements, id), 'each-read');
  return {
    ...openReads({ db, statements, cipher: new ErasureCipher(key), epoch: presentEpoch(db) }),

    async read(guildId) {
      return withStoreErrors(() => cache.get(guildId));
    },

    async reportedShards() {
      return withStoreErrors(() => statements.reportedShards.all());
    },

    close: () => void db.$client.close(),
  };
}
