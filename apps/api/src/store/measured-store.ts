import { setTimeout } from 'node:timers/promises';
import type { GuildId } from '@guild-settings/contract';
import type { GaugeName, Metrics } from '../observability/metrics.ts';
import type { StoreCommand } from './guild-store.ts';
import type { PoolLoad, ProbedStore, Store } from './store.ts';

interface MeasuredStoreOptions {
  readonly metrics: Metrics;
  readonly health: StoreHealth;
  /** Called after a commit that watches have to send. */
  readonly onCommit: () => void;
  readonly isRefusal: (error: unknown) => boolean;
}

/** Operations that only read. A failure of any other operation shows that the store cannot be written. */
const READS: ReadonlySet<string> = new Set<keyof Store>([
  'read',
  'guildsNotLeft',
  'reportedShards',
  'readTimeTraces',
  'readTokenChecks',
  'readWatchers',
  'readDeclaration',
  'countSet',
  'findSession',
  'sessionsOf',
  'existingSessions',
  'readHistory',
  'readLogBounds',
  'readErasure',
  'countErasures',
  'readFeed',
  'epochOf',
  'canResume',
]);

/** Operations that are not measured: the health check probes the store itself. */
const UNMEASURED: ReadonlySet<string> = new Set<keyof Store>(['probeRead', 'probeWrite', 'load', 'close']);

type Of<Value> = {
  readonly [Name in keyof Store]?: Store<StoreCommand>[Name] extends (...args: infer Args) => Promise<infer Result>
    ? Value extends 'guilds'
      ? (...args: Args) => readonly GuildId[]
      : (result: Result) => boolean
    : never;
};

/** The guilds that an operation concerns. */
const GUILDS: Of<'guilds'> = {
  read: (guildId) => [guildId],
  readErasure: (guildId) => [guildId],
  readHistory: ({ guildId }) => [guildId],
  write: ({ guildIds }) => guildIds,
  writeAll: (commands) => commands.flatMap(({ guildIds }) => guildIds),
};

/** Operations whose result may be a commit that watches have to send. */
const COMMITS: Of<'commits'> = {
  write: ({ written }) => written > 0,
  writeAll: (outcomes) => outcomes.some((outcome) => 'result' in outcome && outcome.result.written > 0),
  prune: ({ guilds }) => guilds > 0,
};

type Work = (...args: unknown[]) => Promise<unknown>;

/**
 * Wraps a store: measures the duration of its operations, reports failures to the health check, and reports commits.
 */
export function measuredStore<Command extends StoreCommand>(
  store: Store<Command>,
  { metrics, health, onCommit, isRefusal }: MeasuredStoreOptions,
): Store<Command> {
  function measured(name: string, work: Work): Work {
    const guildIds = (GUILDS as Readonly<Record<string, (...args: unknown[]) => readonly GuildId[]>>)[name];
    const isCommit = (COMMITS as Readonly<Record<string, (result: unknown) => boolean>>)[name];
    const label = name === 'writeAll' ? 'write' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    metrics.expectStoreOperation(label);
    return async (...args) => {
      const startedMs = performance.now();
      try {
        const result = await work(...args);
        if (isCommit?.(result)) onCommit();
        health.succeeded(label);
        return result;
      } catch (error) {
        if (!isRefusal(error)) {
          metrics.storeError(label);
          health.failed(label, READS.has(name) ? 'read' : 'write', error, guildIds?.(...args) ?? []);
        }
        throw error;
      } finally {
        metrics.storeOperation(label, (performance.now() - startedMs) / 1_000);
      }
    };
  }
  // Wrapped once per operation instead of by a proxy: every request calls several.
  const operations = Object.entries(store).map(([name, work]) =>
    typeof work !== 'function' || UNMEASURED.has(name) ? [name, work] : [name, measured(name, work)],
  );
  return Object.fromEntries(operations);
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

interface HealthLimits {
  /** Time for which a verdict is reused, because any client may request it. */
  readonly verdictTtlMs: number;
  /** Timeout of a probe. Load balancers do not wait much longer. */
  readonly probeTimeoutMs: number;
  /** Time for which a failed operation counts, unless the same operation has succeeded since. */
  readonly failureTtlMs: number;
}

const LIMITS: HealthLimits = { verdictTtlMs: 1_000, probeTimeoutMs: 2_000, failureTtlMs: 10_000 };

/** Maximum number of guilds that probes read again after a failed operation. */
const MAX_SUSPECTS = 16;

type StoreAccess = 'read' | 'write';

export type StoreVerdict = Readonly<Record<StoreAccess, { readonly reason: unknown } | undefined>>;

interface Failure {
  readonly access: StoreAccess;
  readonly atMs: number;
  readonly reason: unknown;
}

/**
 * Health check of a store: determines by probes and by the outcomes of operations if it can be read and written. A
 * guild whose operation failed is read by each probe until that succeeds.
 */
export class StoreHealth {
  readonly #probes: Readonly<Record<StoreAccess, () => Promise<void>>>;
  readonly #running: Partial<Record<StoreAccess, Promise<void>>> = {};
  readonly #failures = new Map<string, Failure>();
  readonly #suspects = new Set<GuildId>();
  readonly #onChange: (verdict: StoreVerdict) => void;
  readonly #limits: HealthLimits;
  readonly #closing = new AbortController();
  #following: Promise<void> | undefined;
  #verdict: Promise<StoreVerdict> | undefined;
  #judgedAtMs = Number.NEGATIVE_INFINITY;
  #last = '';

  /** @param onChange called with a verdict that differs from the one before */
  constructor(store: ProbedStore, onChange: (verdict: StoreVerdict) => void, limits = LIMITS) {
    this.#onChange = onChange;
    this.#limits = limits;
    this.#probes = {
      read: async () => {
        const suspects = [...this.#suspects];
        await store.probeRead(suspects);
        for (const id of suspects) this.#suspects.delete(id);
      },
      write: () => store.probeWrite(),
    };
  }

  succeeded(operation: string): void {
    this.#failures.delete(operation);
  }

  failed(operation: string, access: StoreAccess, reason: unknown, guildIds: readonly GuildId[]): void {
    this.#failures.set(operation, { access, atMs: performance.now(), reason });
    for (const id of guildIds) if (this.#suspects.size < MAX_SUSPECTS) this.#suspects.add(id);
    this.#following ??= this.#follow().finally(() => {
      this.#following = undefined;
    });
  }

  /** Stops the checks. Resolves after the running probe, or its timeout. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
  }

  /** Returns the verdict, at most `verdictTtlMs` old. Simultaneous calls share one probe. */
  verdict(): Promise<StoreVerdict> {
    if (this.#verdict === undefined || performance.now() - this.#judgedAtMs >= this.#limits.verdictTtlMs) {
      // All callers receive this verdict until it has resolved.
      this.#judgedAtMs = Number.POSITIVE_INFINITY;
      this.#verdict = this.#judge().finally(() => {
        this.#judgedAtMs = performance.now();
      });
    }
    return this.#verdict;
  }

  /**
   * Checks until the store can be read and written, so that each change is reported without a request for a verdict.
   */
  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { read, write } = await this.verdict();
      if (read === undefined && write === undefined) return;
      await setTimeout(this.#limits.verdictTtlMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #judge(): Promise<StoreVerdict> {
    const [read, write] = await Promise.all([this.#reasonAgainst('read'), this.#reasonAgainst('write')]);
    const state = `${read === undefined}/${write === undefined}`;
    if (state !== this.#last && (this.#last !== '' || read !== undefined || write !== undefined)) {
      this.#onChange({ read, write });
    }
    this.#last = state;
    return { read, write };
  }

  async #reasonAgainst(access: StoreAccess): Promise<{ readonly reason: unknown } | undefined> {
    const probed = await this.#probe(access).then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    );
    return probed ?? this.#recentFailure(access);
  }

  /** Runs a probe, or joins the running one: a probe that hangs is not repeated. */
  async #probe(access: StoreAccess): Promise<void> {
    this.#running[access] ??= this.#probes[access]().finally(() => delete this.#running[access]);
    const running = this.#running[access];
    const { probeTimeoutMs } = this.#limits;
    const timeout = new AbortController();
    const expiry = setTimeout(probeTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
      throw new Error(`Expected a ${access} of the store within ${probeTimeoutMs} ms, received nothing yet`);
    });
    try {
      await Promise.race([running, expiry]);
    } finally {
      timeout.abort();
      expiry.catch(() => {});
      running.catch(() => {});
    }
  }

  #recentFailure(access: StoreAccess): Failure | undefined {
    const sinceMs = performance.now() - this.#limits.failureTtlMs;
    return [...this.#failures.values()].find((failure) => failure.access === access && failure.atMs >= sinceMs);
  }
}
