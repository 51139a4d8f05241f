import { setTimeout } from 'node:timers/promises';
import type { GuildId } from '@guild-settings/contract';
import type { Store } from './store.ts';

export interface HealthLimits {
  /** Time for which a verdict is reused: any client may request it. */
  readonly verdictTtlMs: number;
  /** Timeout of a probe. Load balancers do not wait much longer for a verdict. */
  readonly probeTimeoutMs: number;
  /** Time for which a failed operation counts, unless the same operation has succeeded since. */
  readonly failureTtlMs: number;
}

const LIMITS: HealthLimits = { verdictTtlMs: 1_000, probeTimeoutMs: 2_000, failureTtlMs: 10_000 };

/** Maximum number of guilds that probes read again because an operation on them failed. */
const MAX_SUSPECTS = 16;

export type StoreAccess = 'read' | 'write';

export type StoreVerdict = Readonly<Record<StoreAccess, { readonly reason: unknown } | undefined>>;

interface Failure {
  readonly access: StoreAccess;
  readonly atMs: number;
  readonly reason: unknown;
}

/**
 * Health check of a store: whether it can be read and written, judged by probes and by the outcomes of operations. A guild
 * whose operation failed is read by each probe until that succeeds.
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
  constructor(store: Store, onChange: (verdict: StoreVerdict) => void, limits = LIMITS) {
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

  /** Judges no more. Resolves after the probe that is running, or its timeout. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
  }

  /** Returns the verdict, at most `verdictTtlMs` old. Simultaneous calls share one probe. */
  verdict(): Promise<StoreVerdict> {
    if (this.#verdict === undefined || performance.now() - this.#judgedAtMs >= this.#limits.verdictTtlMs) {
      // Every caller receives this verdict until it has resolved.
      this.#judgedAtMs = Number.POSITIVE_INFINITY;
      this.#verdict = this.#judge().finally(() => {
        this.#judgedAtMs = performance.now();
      });
    }
    return this.#verdict;
  }

  /** Judges until the store can be read and written, so that each change is reported without a request for a verdict. */
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

  /** Runs a probe, or joins the one that is running: a probe that does not end is not repeated. */
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
