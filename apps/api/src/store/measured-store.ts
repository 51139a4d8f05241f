import type { GuildId } from '@guild-settings/contract';
import type { Metrics } from '../ops/metrics.ts';
import type { PoolLoad, PrunedSlice, PruneLimits, Store, StoreCommand, WriteOutcome, WriteResult } from './store.ts';
import type { StoreAccess, StoreHealth } from './store-health.ts';

interface MeasuredStoreOptions {
  readonly metrics: Metrics;
  readonly health: StoreHealth;
  /** Called after a commit that watches have to send. */
  readonly onCommit: () => void;
  /** Returns whether an error is the refusal of a command, and not a failure of the store. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Name of an operation as a metric label, its access, and the guilds that it is about. */
interface Operation<Args extends readonly unknown[]> {
  readonly name: string;
  readonly access: StoreAccess;
  readonly guildIds?: (...args: Args) => readonly GuildId[];
}

/** Wraps a store: measures the duration of its operations, reports failures to the health check, and emits commits. */
export function measuredStore<Command extends StoreCommand>(
  store: Store<Command>,
  { metrics, health, onCommit, isRefusal }: MeasuredStoreOptions,
): Store<Command> {
  function failed(name: string, access: StoreAccess, error: unknown, guildIds: readonly GuildId[]): void {
    if (isRefusal(error)) return;
    metrics.storeError(name);
    health.failed(name, access, error, guildIds);
  }
  function timed<Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>, operation: Operation<Args>) {
    const { name, access, guildIds = () => [] } = operation;
    metrics.expectStoreOperation(name);
    return async (...args: Args): Promise<T> => {
      const startedMs = performance.now();
      try {
        const result = await work(...args);
        health.succeeded(name);
        return result;
      } catch (error) {
        failed(name, access, error, guildIds(...args));
        throw error;
      } finally {
        metrics.storeOperation(name, (performance.now() - startedMs) / 1_000);
      }
    };
  }
  async function write(command: Command): Promise<WriteResult> {
    const result = await store.write(command);
    if (result.written > 0) onCommit();
    return result;
  }
  async function writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    const outcomes = await store.writeAll(commands);
    if (outcomes.some((outcome) => 'result' in outcome && outcome.result.written > 0)) onCommit();
    return outcomes;
  }
  async function prune(limits: PruneLimits): Promise<PrunedSlice> {
    const pruned = await store.prune(limits);
    if (pruned.guilds > 0) onCommit();
    return pruned;
  }
  return {
    ...store,
    read: timed(store.read, { name: 'read', access: 'read', guildIds: (guildId) => [guildId] }),
    write: timed(write, { name: 'write', access: 'write', guildIds: (command) => command.guildIds }),
    writeAll: timed(writeAll, {
      name: 'write',
      access: 'write',
      guildIds: (commands) => commands.flatMap(({ guildIds }) => guildIds),
    }),
    guildsNotLeft: timed(store.guildsNotLeft, { name: 'guilds_not_left', access: 'read' }),
    reportedShards: timed(store.reportedShards, { name: 'reported_shards', access: 'read' }),
    markShardReported: timed(store.markShardReported, { name: 'mark_shard_reported', access: 'write' }),
    prune: timed(prune, { name: 'prune', access: 'write' }),
    readTimeTraces: timed(store.readTimeTraces, { name: 'read_time_traces', access: 'read' }),
    recordRetentionRun: timed(store.recordRetentionRun, { name: 'record_retention_run', access: 'write' }),
    keepTokenCheck: timed(store.keepTokenCheck, { name: 'keep_token_check', access: 'write' }),
    forgetTokenCheck: timed(store.forgetTokenCheck, { name: 'forget_token_check', access: 'write' }),
    readTokenChecks: timed(store.readTokenChecks, { name: 'read_token_checks', access: 'read' }),
    readWatchers: timed(store.readWatchers, { name: 'read_watchers', access: 'read' }),
    registerWatcher: timed(store.registerWatcher, { name: 'register_watcher', access: 'write' }),
    updateWatchers: timed(store.updateWatchers, { name: 'update_watchers', access: 'write' }),
    touchWatchers: timed(store.touchWatchers, { name: 'touch_watchers', access: 'write' }),
    deleteWatchers: timed(store.deleteWatchers, { name: 'delete_watchers', access: 'write' }),
    readHistory: timed(store.readHistory, {
      name: 'read_history',
      access: 'read',
      guildIds: ({ guildId }) => [guildId],
    }),
    readLogBounds: timed(store.readLogBounds, { name: 'read_log_bounds', access: 'read' }),
    readErasure: timed(store.readErasure, { name: 'read_erasure', access: 'read', guildIds: (guildId) => [guildId] }),
    applyLedger: timed(store.applyLedger, { name: 'apply_ledger', access: 'write' }),
    countErasures: timed(store.countErasures, { name: 'count_erasures', access: 'read' }),
    forget: timed(store.forget, { name: 'forget', access: 'write' }),
    finishErasures: timed(store.finishErasures, { name: 'finish_erasures', access: 'write' }),
    readFeed: timed(store.readFeed, { name: 'read_feed', access: 'read' }),
    canResume: timed(store.canResume, { name: 'can_resume', access: 'read' }),
  };
}

/** Registers gauges of what a store is busy with. */
export function measureStoreLoad(store: Pick<Store, 'load' | 'countErasures'>, metrics: Metrics): void {
  metrics.gauge('store_waiting_writes', 'Writes that wait for a transaction.', () => store.load().waitingWrites);
  metrics.gauge('erasures_unfinished', 'Requested erasures with rows left to erase.', () =>
    store.countErasures().catch(() => Number.NaN),
  );
  if (store.load().pool === undefined) return;
  const gauge = (name: string, help: string, value: (pool: PoolLoad) => number) =>
    metrics.gauge(name, help, () => {
      const { pool } = store.load();
      return pool === undefined ? 0 : value(pool);
    });
  gauge('postgres_pool_max_connections', 'Maximum of connections.', ({ maxConnections }) => maxConnections);
  gauge('postgres_pool_connections', 'Open connections, in use or idle.', ({ connections }) => connections);
  gauge('postgres_pool_idle_connections', 'Open connections that are not in use.', ({ idle }) => idle);
  gauge('postgres_pool_waiting_requests', 'Statements that wait for a connection.', ({ waiting }) => waiting);
}
