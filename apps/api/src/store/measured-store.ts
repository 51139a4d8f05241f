import type { GuildId } from '@guild-settings/contract';
import type { GaugeName } from '../ops/gauges.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { PoolLoad, Store, StoreCommand } from './store.ts';
import type { StoreAccess, StoreHealth } from './store-health.ts';

interface MeasuredStoreOptions {
  readonly metrics: Metrics;
  readonly health: StoreHealth;
  /** Called after a commit that watches have to send. */
  readonly onCommit: () => void;
  readonly isRefusal: (error: unknown) => boolean;
}

/** Access of an operation, the guilds that it is about, and whether its result is a commit that watches have to send. */
type Measured<Operation> = Operation extends (...args: infer Args) => Promise<infer Result>
  ? {
      readonly access: StoreAccess;
      readonly guildIds?: (...args: Args) => readonly GuildId[];
      readonly isCommit?: (result: Result) => boolean;
    }
  : never;

type Unmeasured = 'isShared' | 'probeRead' | 'probeWrite' | 'load' | 'close';

const OPERATIONS: { readonly [Name in Exclude<keyof Store, Unmeasured>]: Measured<Store<StoreCommand>[Name]> } = {
  read: { access: 'read', guildIds: (guildId) => [guildId] },
  write: { access: 'write', guildIds: ({ guildIds }) => guildIds, isCommit: ({ written }) => written > 0 },
  writeAll: {
    access: 'write',
    guildIds: (commands) => commands.flatMap(({ guildIds }) => guildIds),
    isCommit: (outcomes) => outcomes.some((outcome) => 'result' in outcome && outcome.result.written > 0),
  },
  guildsNotLeft: { access: 'read' },
  reportedShards: { access: 'read' },
  markShardReported: { access: 'write' },
  prune: { access: 'write', isCommit: ({ guilds }) => guilds > 0 },
  readTimeTraces: { access: 'read' },
  recordRetentionRun: { access: 'write' },
  keepTokenCheck: { access: 'write' },
  forgetTokenCheck: { access: 'write' },
  readTokenChecks: { access: 'read' },
  readWatchers: { access: 'read' },
  registerWatcher: { access: 'write' },
  updateWatchers: { access: 'write' },
  touchWatchers: { access: 'write' },
  deleteWatchers: { access: 'write' },
  readDeclaration: { access: 'read' },
  recordDeclaration: { access: 'write' },
  countSet: { access: 'read' },
  insertSession: { access: 'write' },
  findSession: { access: 'read' },
  sessionsOf: { access: 'read' },
  existingSessions: { access: 'read' },
  touchSession: { access: 'write' },
  endSession: { access: 'write' },
  endSessionsOf: { access: 'write' },
  removeExpiredSessions: { access: 'write' },
  takeLease: { access: 'write' },
  releaseLease: { access: 'write' },
  replaceTokens: { access: 'write' },
  resealTokens: { access: 'write' },
  readHistory: { access: 'read', guildIds: ({ guildId }) => [guildId] },
  readLogBounds: { access: 'read' },
  readErasure: { access: 'read', guildIds: (guildId) => [guildId] },
  applyLedger: { access: 'write' },
  countErasures: { access: 'read' },
  forget: { access: 'write' },
  finishErasures: { access: 'write' },
  readFeed: { access: 'read' },
  epochOf: { access: 'read' },
  canResume: { access: 'read' },
};

/** Wraps a store: measures the duration of its operations, reports failures to the health check, and emits commits. */
export function measuredStore<Command extends StoreCommand>(
  store: Store<Command>,
  { metrics, health, onCommit, isRefusal }: MeasuredStoreOptions,
): Store<Command> {
  function measured(method: string, operation: Measured<(...args: unknown[]) => Promise<unknown>>) {
    const { access, guildIds = () => [], isCommit = () => false } = operation;
    const work = store[method as keyof typeof OPERATIONS] as (...args: unknown[]) => Promise<unknown>;
    const label = method === 'writeAll' ? 'write' : method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    metrics.expectStoreOperation(label);
    return async (...args: unknown[]) => {
      const startedMs = performance.now();
      try {
        const result = await work(...args);
        if (isCommit(result)) onCommit();
        health.succeeded(label);
        return result;
      } catch (error) {
        if (!isRefusal(error)) {
          metrics.storeError(label);
          health.failed(label, access, error, guildIds(...args));
        }
        throw error;
      } finally {
        metrics.storeOperation(label, (performance.now() - startedMs) / 1_000);
      }
    };
  }
  const entries = Object.entries(OPERATIONS as Readonly<Record<string, Parameters<typeof measured>[1]>>);
  return { ...store, ...Object.fromEntries(entries.map(([name, operation]) => [name, measured(name, operation)])) };
}

export function measureStoreLoad(store: Pick<Store, 'load' | 'countErasures'>, metrics: Metrics): void {
  metrics.gauge('store_waiting_writes', () => store.load().waitingWrites);
  metrics.gauge('erasures_unfinished', () => store.countErasures().catch(() => Number.NaN));
  if (store.load().pool === undefined) return;
  const gauge = (name: GaugeName, value: (pool: PoolLoad) => number) =>
    metrics.gauge(name, () => {
      const { pool } = store.load();
      return pool === undefined ? 0 : value(pool);
    });
  gauge('postgres_pool_max_connections', ({ maxConnections }) => maxConnections);
  gauge('postgres_pool_connections', ({ connections }) => connections);
  gauge('postgres_pool_idle_connections', ({ idle }) => idle);
  gauge('postgres_pool_waiting_requests', ({ waiting }) => waiting);
}
