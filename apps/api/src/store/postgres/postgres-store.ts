import { desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { ownCommand } from '../../own-package.ts';
import { ErasureOperations } from '../erasure/erasing.ts';
import type { ErasureLedger } from '../erasure/erasure-ledger.ts';
import { ErasureCipher } from '../erasure/erasure-rows.ts';
import type { ApplyCommand, StoreCommand } from '../guild-store.ts';
import { changeOf, epochMark, guildsOfShard } from '../rows.ts';
import {
  MAX_TOKEN_CHECKS,
  type NotificationState,
  type Store,
  StoreUnavailableError,
  TOKEN_CHECK_TTL_MS,
} from '../store.ts';
import { checkDurability, openPool, type PostgresDatabase, requireMigrated, UNFINISHED } from './database.ts';
import { erasureKeyOf, openErasures, openLedgerTarget } from './erasures.ts';
import { listenForCommits } from './listener.ts';
import { Pruning } from './prune.ts';
import { openGuilds, openProbes, prepareHistory, readFeed } from './queries.ts';
import { changes, meta, presenceReports, tokenChecks } from './schema.ts';
import { openDeclarations, openSessions, openWatchers } from './small-tables.ts';
import { canResume, epochOf, readEpoch, transact, withStoreErrors } from './transaction.ts';
import { Writer } from './writer.ts';

export interface PostgresStoreOptions<Command extends StoreCommand> {
  readonly apply: ApplyCommand<Command>;
  readonly onCommit: () => void;
  /** Called once for each setting of the server that puts acknowledged changes at risk. */
  readonly onWarning: (message: string) => void;
  readonly onWatchers?: () => void;
  readonly onSessionEnded?: ((idHash: string) => void) | undefined;
  /** Called when the notifications of commits are lost, and when they are received again. */
  readonly onNotifications: (state: NotificationState) => void;
  /** The longest delay of a notification at the start, in milliseconds; 2,000 unless given. */
  readonly notificationTimeoutMs?: number;
  /** Records requested erasures; absent: they are not recorded. */
  readonly ledger?: ErasureLedger | undefined;
}

/**
 * Opens a PostgreSQL database as a store for any number of processes.
 * @throws StoreUnavailableError when the database cannot be reached, or has not been migrated
 * @throws NotificationsLostError when the notifications of its commits do not arrive
 */
export async function openPostgresStore<Command extends StoreCommand>(
  url: string,
  options: PostgresStoreOptions<Command>,
): Promise<Store<Command>> {
  const { apply, onCommit, onWatchers = () => {}, onSessionEnded = () => {}, onWarning, onNotifications } = options;
  const { ledger, notificationTimeoutMs } = options;
  const db = openPool(url);
  const { risks, key, listener } = await withStoreErrors(async () => {
    const prepared = await prepare(db);
    const callbacks = { onCommit, onWatchers, onSessionEnded, onNotifications };
    const listener = await listenForCommits(url, { ...callbacks, pool: db.$client, notificationTimeoutMs });
    return { ...prepared, listener };
  }).catch(async (error: unknown) => {
    await db.$client.end();
    throw error;
  });
  for (const risk of risks) onWarning(risk);
  const cipher = new ErasureCipher(key);
  const writer = new Writer({ db, apply, cipher, onErasure: (row) => erasing.add(row) });
  const erasures = openErasures({ db, writer, cipher });
  const target = openLedgerTarget({ db, writer, cipher });
  const erasing = new ErasureOperations({ table: erasures, target, ledger, cipher });
  const readLogBounds = db
    .select({ oldest: meta.oldestRevision, newest: meta.lastRevision })
    .from(meta)
    .prepare('read_log_bounds');
  const readHistory = {
    'oldest-first': prepareHistory(db, 'oldest-first'),
    'newest-first': prepareHistory(db, 'newest-first'),
  };
  const guilds = openGuilds(db);
  const probes = openProbes(db);
  const pruning = new Pruning(db, writer, cipher);

  return {
    async read(guildId) {
      return withStoreErrors(() => guilds.load(guildId));
    },

    write: (command) => writer.write(command),
    writeAll: (commands) => writer.writeAll(commands),

    guildsNotLeft: (shard) =>
      guildsOfShard(shard, (after, limit) => withStoreErrors(() => guilds.idsNotLeft(after, limit))),

    async reportedShards() {
      const { shardId: id, shardCount: count, at } = presenceReports;
      return withStoreErrors(() => db.select({ id, count, at }).from(presenceReports));
    },

    async markShardReported(shard, at) {
      const report = { shardId: shard.id, shardCount: shard.count, at };
      const target = [presenceReports.shardId, presenceReports.shardCount];
      await withStoreErrors(() =>
        db.insert(presenceReports).values(report).onConflictDoUpdate({ target, set: { at } }),
      );
    },

    async prune(limits) {
      return withStoreErrors(() => pruning.slice(limits));
    },

    async readTimeTraces() {
      const [traces] = await withStoreErrors(() =>
        db
          .select({
            retentionRanAt: meta.retentionRanAt,
            newestChangeAt: bigintOf(sql`(SELECT at FROM ${changes} ORDER BY revision DESC LIMIT 1)`),
            newestReportAt: bigintOf(sql`(SELECT max(at) FROM ${presenceReports})`),
          })
          .from(meta),
      );
      return traces ?? { retentionRanAt: null, newestChangeAt: null, newestReportAt: null };
    },

    async recordRetentionRun(at) {
      await withStoreErrors(() => db.update(meta).set({ retentionRanAt: at }));
    },

    async keepTokenCheck(check) {
      await withStoreErrors(async () => {
        await db.delete(tokenChecks).where(lt(tokenChecks.checkedAt, check.checkedAt - TOKEN_CHECK_TTL_MS));
        await db.insert(tokenChecks).values(check).onConflictDoUpdate({ target: tokenChecks.tokenHash, set: check });
      });
    },

    async forgetTokenCheck(tokenHash) {
      await withStoreErrors(() => db.delete(tokenChecks).where(eq(tokenChecks.tokenHash, tokenHash)));
    },

    async readTokenChecks(applicationId) {
      const ofApplication = db.select().from(tokenChecks).where(eq(tokenChecks.applicationId, applicationId));
      return withStoreErrors(() => ofApplication.orderBy(desc(tokenChecks.checkedAt)).limit(MAX_TOKEN_CHECKS));
    },

    ...openWatchers(db),
    ...openDeclarations(db),
    ...openSessions(db),

    async readHistory({ order, ...range }) {
      const rows = await withStoreErrors(() => readHistory[order].execute({ ...range }));
      return rows.map(changeOf);
    },

    async readLogBounds() {
      const [found] = await withStoreErrors(() => readLogBounds.execute());
      return found ?? { oldest: 1, newest: 0 };
    },

    readErasure: (guildId) => erasures.read(guildId),

    forget: (personId, at, requireAllowed) => erasing.forget(personId, at, requireAllowed),
    finishErasures: (kind) => erasing.finish(kind),
    countErasures: () => erasing.count(),
    applyLedger: (start) => erasing.applyLedger(start),

    async readFeed(after, limit) {
      for (;;) {
        const page = await transact(db, 'snapshot', async (tx) => {
          const epoch = await readEpoch(tx);
          return epoch === undefined ? undefined : { epoch, ...(await readFeed(tx, { after, limit, cipher })) };
        });
        if (page !== undefined) return page;
        // The server was restarted: the first lock begins an epoch.
        await writer.exclusively(async () => {});
      }
    },

    async epochOf(revision) {
      const [found] = await withStoreErrors(() => db.select({ epoch: epochOf(sql`${revision}`) }).from(meta));
      return epochMark(found?.epoch);
    },

    async canResume(cursor) {
      return transact(db, 'snapshot', (tx) => canResume(tx, cursor));
    },

    probeRead: (guildIds) => withStoreErrors(() => probes.read(guildIds)),

    probeWrite: () => withStoreErrors(() => probes.write()),

    load() {
      const { totalCount: connections, idleCount: idle, waitingCount: waiting, options } = db.$client;
      return { waitingWrites: writer.waiting, pool: { maxConnections: options.max, connections, idle, waiting } };
    },

    async close() {
      await writer.idle();
      await erasing.stop();
      await listener.close();
      await db.$client.end();
    },
  };
}

/** Maps a 64-bit integer, which the driver returns as text. */
function bigintOf(value: SQL): SQL<number | null> {
  return value.mapWith((text: unknown) => (text === null ? null : Number(text)));
}

/**
 * Checks the database and creates its row in `meta`.
 * @returns settings of the server that put acknowledged changes at risk, and the key of erasures
 */
async function prepare(db: PostgresDatabase): Promise<{ readonly risks: readonly string[]; readonly key: string }> {
  const risks = await checkDurability(db);
  await requireMigrated(db);
  await db
    .insert(meta)
    .values({ id: 1, databaseId: crypto.randomUUID(), lastRevision: 0, oldestRevision: 1 })
    .onConflictDoNothing();
  const [bounds] = await db.select({ databaseId: meta.databaseId }).from(meta);
  if (bounds?.databaseId.startsWith(UNFINISHED)) {
    throw new StoreUnavailableError(
      `The database is an unfinished copy. Finish it, with DATABASE_URL in the environment: ${ownCommand('copy', '--from file:<path>')}`,
    );
  }
  return { risks, key: await erasureKeyOf(db) };
}
