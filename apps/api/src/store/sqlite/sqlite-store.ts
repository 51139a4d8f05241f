import type { GuildId } from '@guild-settings/contract';
import Database from 'better-sqlite3';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { sql } from 'drizzle-orm';
import { type DecidedBatch, decideBatch, type WriteRequest } from '../decide-batch.ts';
import { type Commit, GroupCommit } from '../group-commit.ts';
import { guildOf } from '../rows.ts';
import { SHARD_COUNT_UNUSED_MS } from '../shard-counts.ts';
import type { Store, StoredGuild } from '../store.ts';
import { StoreUnavailableError } from '../store.ts';
import { openDatabase, type SqliteDatabase } from './database.ts';
import { canResume, noteOpening } from './openings.ts';
import { preparePrune } from './prune.ts';
import { readFeed } from './read-feed.ts';
import { changes, meta, presenceReports } from './schema.ts';
import { ShardGuilds } from './shard-guilds.ts';
import { Stamps } from './stamps.ts';
import { prepareStatements } from './statements.ts';

/**
 * The embedded store: one SQLite file, one process that writes to it.
 * @throws StoreUnavailableError when the file cannot be opened or migrated
 */
export function openSqliteStore(path: string): Store {
  const db = openDatabase(path);
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
  const shardGuilds = new ShardGuilds(db, (work) => transaction(db, work));
  const pruneSlice = preparePrune(db);
  const isCheckpointDue = checkpointEvery(db, SLICES_A_CHECKPOINT);

  return {
    async read(guildId) {
      return answering(() => readGuild(guildId));
    },

    async readStamp(id) {
      return answering(() => stamps.get(id));
    },

    write: (guildIds, decide) => group.write({ guildIds, decide }),

    async guildsNotLeft(shard) {
      return shardGuilds.notLeft(shard);
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

    async prune(limits) {
      if (isCheckpointDue()) return { changes: 0, guilds: 0, isDone: false };
      const pruned = await transaction(
        db,
        () => pruneSlice(limits),
        ({ guilds }) => guilds > 0 && stamps.forget(),
      );
      if (!pruned.isDone) return pruned;
      const isMore = await transaction(db, () => shardGuilds.tidy(limits.now - SHARD_COUNT_UNUSED_MS));
      return { ...pruned, isDone: !isMore };
    },

    async readTimeTraces() {
      const traces = db
        .select({
          retentionRanAt: meta.retentionRanAt,
          newestChangeAt: sql<number | null>`(SELECT at FROM ${changes} ORDER BY revision DESC LIMIT 1)`,
          newestReportAt: sql<number | null>`(SELECT max(at) FROM ${presenceReports})`,
        })
        .from(meta);
      return answering(() => traces.get() ?? { retentionRanAt: null, newestChangeAt: null, newestReportAt: null });
    },

    async recordRetentionRun(at) {
      await transaction(db, () => db.update(meta).set({ retentionRanAt: at }).run());
    },

    async readFeed(after, limit) {
      return answering(() => ({ epoch, ...readFeed(db, statements, after, limit) }));
    },

    async canResume(cursor) {
      return answering(() => canResume(db, cursor));
    },

    async ping() {
      answering(readLastRevision);
    },

    async close() {
      await group.idle();
      db.$client.close();
    },
  };
}

/** Slices of retention between two checkpoints: they write pages all over the file, and a checkpoint of many takes long. */
const SLICES_A_CHECKPOINT = 4;

/** Counts the calls; every so many it makes a checkpoint, which then is what the call did. */
function checkpointEvery({ $client }: SqliteDatabase, calls: number): () => boolean {
  let count = 0;
  return () => {
    count = (count + 1) % (calls + 1);
    if (count !== 0) return false;
    $client.pragma('wal_checkpoint(PASSIVE)');
    return true;
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
