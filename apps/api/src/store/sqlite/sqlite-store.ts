import { type GuildId, isOfShard, type Shard } from '@guild-settings/contract';
import Database from 'better-sqlite3';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { ne } from 'drizzle-orm';
import { type DecidedBatch, decideBatch, type WriteRequest } from '../decide-batch.ts';
import { type Commit, GroupCommit } from '../group-commit.ts';
import { guildOf } from '../rows.ts';
import type { Pruned, Store, StoredGuild } from '../store.ts';
import { StoreUnavailableError } from '../store.ts';
import type { NewDatabase } from './admit-file.ts';
import { openDatabase, type SqliteDatabase } from './database.ts';
import { GuildWalk } from './guild-walk.ts';
import { canResume, noteOpening } from './openings.ts';
import { prune } from './prune.ts';
import { readFeed } from './read-feed.ts';
import { guilds, presenceReports } from './schema.ts';
import { Stamps } from './stamps.ts';
import { prepareStatements } from './statements.ts';

/**
 * The embedded store: one SQLite file, one process that writes to it. The caller holds the file's lock.
 * @throws StoreUnavailableError when the file cannot be opened or migrated
 */
export function openSqliteStore(path: string, newDatabase?: NewDatabase): Store {
  const db = openDatabase(path, newDatabase);
  const statements = prepareStatements(db);
  const stamps = new Stamps(db, statements.readStamp);
  const readLastRevision = () => {
    const revision = statements.readLastRevision();
    if (revision === undefined) throw new StoreUnavailableError('the database has lost its meta row');
    return revision;
  };
  const readGuild = (id: GuildId): StoredGuild | null => {
    const row = statements.readGuild(id);
    return row === undefined ? null : guildOf(row);
  };

  function writeBatch(requests: readonly WriteRequest[]): DecidedBatch {
    const lastRevision = readLastRevision();
    const batch = decideBatch(requests, readGuild, lastRevision);
    for (const row of batch.guilds) statements.writeGuild(row);
    for (const row of batch.changes) statements.writeChange(row);
    if (batch.lastRevision > lastRevision) statements.writeLastRevision(batch.lastRevision);
    return batch;
  }

  const commit: Commit = async (take) => {
    const { outcomes } = await transaction(
      db,
      () => writeBatch(take()),
      ({ guilds }) => stamps.written(guilds),
    );
    return outcomes;
  };
  const group = new GroupCommit(commit, { isBlocking: true });
  const epoch = noteOpening(db);
  const walk = new GuildWalk(statements.readGuildsAfter);

  return {
    async read(guildId) {
      return answering(() => readGuild(guildId));
    },

    async readStamp(id) {
      return answering(() => stamps.get(id));
    },

    write: (guildIds, decide) => group.write({ guildIds, decide }),

    async guildsNotLeft(shard: Shard) {
      return answering(() =>
        db
          .select({ id: guilds.id })
          .from(guilds)
          .where(ne(guilds.presence, 'left'))
          .all()
          .map((row) => row.id)
          .filter((id) => isOfShard(id, shard)),
      );
    },

    async reportedShards() {
      return answering(() => statements.reportedShards.all());
    },

    async markShardReported(shard, at) {
      await transaction(db, () =>
        db
          .insert(presenceReports)
          .values({ shardId: shard.id, shardCount: shard.count, at })
          .onConflictDoUpdate({ target: [presenceReports.shardId, presenceReports.shardCount], set: { at } })
          .run(),
      );
    },

    async prune(limits): Promise<Pruned> {
      return transaction(
        db,
        () => prune(db, limits),
        () => stamps.forget(),
      );
    },

    async readFeed(after, limit) {
      return answering(() => ({ epoch, ...readFeed(db, statements, after, limit) }));
    },

    async canResume(cursor) {
      return answering(() => canResume(db, cursor));
    },

    async probeRead(guildIds) {
      answering(() => {
        readLastRevision();
        for (const id of [...guildIds, ...walk.next()]) readGuild(id);
        statements.readNewestChange();
      });
    },

    async probeWrite() {
      await transaction(db, () => {
        const revision = readLastRevision();
        // SQLite writes a page that was changed, also when it was changed back, and none that never was.
        statements.writeLastRevision(revision + 1);
        statements.writeLastRevision(revision);
      });
    },

    async close() {
      await group.idle();
      db.$client.close();
    },
  };
}

/** Waits for another process's lock to be released: some five seconds, without stopping this process. */
const untilUnlocked = retry(handleWhen(isLocked), {
  maxAttempts: 40,
  backoff: new ExponentialBackoff({ initialDelay: 5, maxDelay: 150 }),
});

/**
 * IMMEDIATE takes the write lock at once, so that nothing read inside can be out of date when it is written.
 * @param committed called after the commit, in the same turn of the event loop
 */
function transaction<T>(db: SqliteDatabase, work: () => T, committed: (result: T) => void = () => {}): Promise<T> {
  return untilUnlocked.execute(() => {
    const result = answering(() => db.transaction(work, { behavior: 'immediate' }));
    committed(result);
    return result;
  });
}

function isLocked(error: Error): boolean {
  return error.cause instanceof Database.SqliteError && error.cause.code.startsWith('SQLITE_BUSY');
}

function answering<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Database.SqliteError) {
      throw new StoreUnavailableError(`SQLite: ${error.code}`, { cause: error });
    }
    throw error;
  }
}
