import type { GuildId } from '@guild-settings/contract';
import { type AppliedBatch, applyBatch } from '../batch.ts';
import { epochMark } from '../epoch-mark.ts';
import { ErasureCipher } from '../erasure/erasure-cipher.ts';
import type { ErasureLedger } from '../erasure/erasure-ledger.ts';
import { ErasureOperations } from '../erasure/erasure-operations.ts';
import { changeOf, type GuildRow, undosIn } from '../rows.ts';
import { guildsOfShard } from '../shard-guilds.ts';
import type { ApplyCommand, Store, StoreCommand } from '../store.ts';
import { type Commit, WriteQueue } from '../write-queue.ts';
import type { NewDatabase } from './admit-file.ts';
import { BackgroundWrites } from './background-writes.ts';
import { openDatabase } from './database.ts';
import { openDeclarations } from './declarations.ts';
import { openEpochs } from './epochs.ts';
import { erasureKeyOf, openErasures, prepareReadErasure } from './erasures.ts';
import { GuildCache } from './guild-cache.ts';
import { GuildWalk } from './guild-walk.ts';
import { openLedgerTarget } from './ledger-target.ts';
import { preparePrune } from './prune.ts';
import { prepareReadFeed } from './read-feed.ts';
import { openSessions } from './sessions.ts';
import { logBoundsOf, prepareStatements, storedGuildOf } from './statements.ts';
import { openTimeTraces } from './time-traces.ts';
import { openTokenChecks } from './token-checks.ts';
import { shareReads, transaction, withStoreErrors } from './transaction.ts';
import { openWatchers } from './watchers.ts';

export interface SqliteStoreOptions {
  /** Default: a new database only where no files of an old one are left. */
  readonly newDatabase?: NewDatabase | undefined;
  /** Records the erasures that were requested; absent: nothing does. */
  readonly ledger?: ErasureLedger | undefined;
}

/**
 * Opens the embedded store: one SQLite file, which one process writes. The caller holds the file lock.
 * @throws StoreUnavailableError when the file cannot be opened or migrated
 */
export function openSqliteStore<Command extends StoreCommand>(
  path: string,
  apply: ApplyCommand<Command>,
  { newDatabase, ledger }: SqliteStoreOptions = {},
): Store<Command> {
  const db = openDatabase(path, newDatabase);
  const statements = prepareStatements(db);
  const readLastRevision = () => logBoundsOf(statements).newest;
  const epochs = openEpochs(db);
  const epoch = epochs.begin();
  const stored = (row: GuildRow) => storedGuildOf(row, epochs.markOf);
  const readGuild = (id: GuildId) => {
    const row = statements.readGuild(id);
    return row === undefined ? null : stored(row);
  };

  const cache = new GuildCache(db, shareReads(db, readGuild));

  function writeBatch(commands: readonly Command[]): AppliedBatch {
    const { newest: lastRevision, oldest: oldestRevision } = logBoundsOf(statements);
    const batch = applyBatch(commands, {
      apply,
      read: readGuild,
      wasPresent: (id) => erasures.read(id)?.wasPresent ?? false,
      cipher,
      lastRevision,
      oldestRevision,
      epoch: epochMark(epoch),
    });
    const erased = batch.erasures.length > 0 ? erasures.erase(batch.erasures) : [];
    for (const revision of batch.superseded) statements.deleteChange(revision);
    for (const row of batch.guilds) {
      if (batch.created.has(row.id)) statements.insertGuild(row);
      else statements.updateGuild(row);
    }
    for (const row of batch.changes) statements.writeChange(row);
    for (const { target, revision } of undosIn(batch.changes)) statements.writeUndoneBy(target, revision);
    if (batch.lastRevision > lastRevision) statements.writeLastRevision(batch.lastRevision);
    return { ...batch, erasures: erased };
  }

  const commit: Commit<Command> = async (take) => {
    const { outcomes } = await transaction(db, () => writeBatch(take()), {
      committed({ guilds, erasures: erased }) {
        cache.forget(erased.map(({ guildId }) => guildId));
        cache.replace(guilds.map(stored));
        for (const { row } of erased) erasing.add(row);
      },
    });
    return outcomes;
  };
  const queue = new WriteQueue(commit, { isBlocking: true });
  const background = new BackgroundWrites(db, path);
  const cipher = new ErasureCipher(erasureKeyOf(db));
  const erasures = openErasures({ db, background, cipher, readLastRevision });
  const target = openLedgerTarget({ db, statements, erasures, cipher, readGuild, readLastRevision });
  const erasing = new ErasureOperations({ table: erasures, target, ledger, cipher });
  const { pruneChanges, clearHistory, eraseGuilds } = preparePrune(db, { cipher, erasures });

  const readFeed = prepareReadFeed(db, statements);
  const readErasure = prepareReadErasure(db, cipher);
  const walk = new GuildWalk(statements);

  return {
    ...openTimeTraces(db),
    ...openTokenChecks(db),
    ...openWatchers(db),
    ...openDeclarations(db),
    ...openSessions(db),

    async read(guildId) {
      return withStoreErrors(() => cache.get(guildId));
    },

    async reportedShards() {
      return withStoreErrors(() => statements.readReportedShards());
    },

    write: (command) => queue.write(command),
    writeAll: (commands) => queue.writeAll(commands),

    guildsNotLeft: (shard) =>
      guildsOfShard(shard, async (after, limit) => withStoreErrors(() => statements.readIdsNotLeft(after, limit))),

    async prune(limits) {
      const { changes, isMore: isLogDue } = await background.write(() => pruneChanges(limits.changesBefore));
      if (changes > 0 || isLogDue) return { changes, guilds: 0, isDone: false };
      const cleared = await background.write(() => clearHistory(limits));
      if (cleared > 0) return { changes: 0, guilds: 0, isDone: false };
      // An erasure is emitted to watchers, so it must be durable first.
      const erased = await background.write(() => eraseGuilds(limits), {
        isSynced: true,
        committed({ guilds }) {
          if (guilds > 0) cache.clear();
        },
      });
      if (erased.isMore) return { changes: 0, guilds: erased.guilds, isDone: false };
      await background.end();
      return { changes: 0, guilds: 0, isDone: true };
    },

    forget: (personId, at, requireAllowed) => erasing.forget(personId, at, requireAllowed),
    finishErasures: (kind) => erasing.finish(kind),
    countErasures: () => erasing.count(),

    async applyLedger(start) {
      const applied = await erasing.applyLedger(start);
      if (applied > 0) cache.clear();
      return applied;
    },

    async readHistory(range) {
      return withStoreErrors(() => statements.readHistory(range).map(changeOf));
    },

    async readLogBounds() {
      return withStoreErrors(() => logBoundsOf(statements));
    },

    async readErasure(guildId) {
      return readErasure(guildId);
    },

    async readFeed(after, limit) {
      return withStoreErrors(() => ({ epoch, ...readFeed({ after, limit, cipher }) }));
    },

    async epochOf(revision) {
      return withStoreErrors(() => epochs.markOf(revision));
    },

    async canResume(cursor) {
      return withStoreErrors(() => epochs.canResume(cursor));
    },

    async probeRead(guildIds) {
      withStoreErrors(() => {
        logBoundsOf(statements);
        for (const id of [...guildIds, ...walk.next()]) statements.readGuild(id);
        statements.readNewestChange();
      });
    },

    async probeWrite() {
      await transaction(db, () => {
        const revision = readLastRevision();
        // SQLite writes a page that was changed and changed back, but no page that was not changed.
        statements.writeLastRevision(revision + 1);
        statements.writeLastRevision(revision);
      });
    },

    load: () => ({ waitingWrites: queue.waiting }),

    async close() {
      await queue.idle();
      await erasing.stop();
      await background.end();
      db.$client.close();
    },
  };
}
