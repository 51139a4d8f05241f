import type { GuildId } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { ErasureOperations } from '../erasure/erasing.ts';
import type { ErasureLedger } from '../erasure/erasure-ledger.ts';
import { ErasureCipher } from '../erasure/erasure-rows.ts';
import type { ApplyCommand, StoreCommand, StoredGuild } from '../guild-store.ts';
import { changeOf, epochMark, type GuildRow, guildsOfShard, undosIn } from '../rows.ts';
import type { Store } from '../store.ts';
import { type AppliedBatch, applyBatch, type Commit, WriteQueue } from '../write-queue.ts';
import type { NewDatabase } from './admit-file.ts';
import { BackgroundWrites } from './background-writes.ts';
import { openDatabase, type SqliteDatabase, shareReads, transaction, withStoreErrors } from './database.ts';
import { erasureKeyOf, openErasures, openLedgerTarget, prepareReadErasure } from './erasures.ts';
import { preparePrune } from './prune.ts';
import { openDeclarations, openSessions, openTimeTraces, openTokenChecks, openWatchers } from './small-tables.ts';
import { GuildWalk, logBoundsOf, openEpochs, prepareReadFeed, prepareStatements, storedGuildOf } from './statements.ts';

interface SqliteStoreOptions {
  /** Default: a new database only if no files of an old one exist. */
  readonly newDatabase?: NewDatabase | undefined;
  /** Records requested erasures; absent: they are not recorded. */
  readonly ledger?: ErasureLedger | undefined;
}

/**
 * Opens the embedded store: one SQLite file, written by one process. The caller holds the file lock.
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
      // Watchers are sent the erasure, so it must be durable first.
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
        // SQLite writes a page that was changed and changed back, but not a page that was not changed.
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

/** Holds some 16,000 guilds of usual size. If more are in use at random, a cache of twice the size saves nothing. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Bytes counted for a guild without its settings. */
const GUILD_BYTES = 1_000;

/**
 * The share of uncached guilds that are added to the cache: one in this many. Guilds that are read often are soon there. When more guilds are read at
 * random than the cache holds, adding each would cost as much as reading it.
 */
const ADMISSION = 8;

const NOTHING = Symbol('nothing stored');

/**
 * Cache of recently read guilds. A commit of this process replaces the guilds that it wrote. A commit of another
 * process empties the cache.
 */
class GuildCache {
  readonly #known = new LRUCache<GuildId, StoredGuild | typeof NOTHING>({
    maxSize: MAX_BYTES,
    sizeCalculation: (guild) => (guild === NOTHING ? GUILD_BYTES : bytesOf(guild)),
  });
  readonly #read: (id: GuildId) => StoredGuild | null;
  readonly #readDataVersion: () => unknown;
  #dataVersion: unknown;
  #isChecked = false;
  #misses = 0;

  constructor({ $client }: SqliteDatabase, read: (id: GuildId) => StoredGuild | null) {
    this.#read = read;
    const statement = $client.prepare('PRAGMA data_version').pluck();
    this.#readDataVersion = () => statement.get();
    this.#dataVersion = this.#readDataVersion();
  }

  get(id: GuildId): StoredGuild | null {
    this.#checkVersion();
    const known = this.#known.get(id);
    if (known !== undefined) return known === NOTHING ? null : known;
    const stored = this.#read(id);
    this.#misses += 1;
    if (this.#misses % ADMISSION === 0) this.#known.set(id, stored === null ? NOTHING : stored);
    return stored;
  }

  /**
   * Replaces cached guilds that a commit of this process has written, before another request is handled. Does not add
   * guilds.
   */
  replace(guilds: Iterable<StoredGuild>): void {
    for (const guild of guilds) if (this.#known.has(guild.id)) this.#known.set(guild.id, guild);
  }

  /** Removes guilds that a commit of this process has erased, before another request is handled. */
  forget(ids: Iterable<GuildId>): void {
    for (const id of ids) this.#known.delete(id);
  }

  clear(): void {
    this.#known.clear();
  }

  /** Checks once per iteration of the event loop if another process has written to the file. */
  #checkVersion(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    const dataVersion = this.#readDataVersion();
    if (dataVersion === this.#dataVersion) return;
    this.#dataVersion = dataVersion;
    this.#known.clear();
  }
}

function bytesOf({ settings, access }: StoredGuild): number {
  const accessLength = access === null ? 0 : JSON.stringify(access).length;
  return GUILD_BYTES + 4 * (JSON.stringify(settings).length + accessLength);
}
