import { setTimeout } from 'node:timers/promises';
import type { GuildId } from '@guild-settings/contract';
import type { Store } from './store.ts';

/** Durations in milliseconds. */
export interface HealthLimits {
  /** How long a verdict is given again: every client may ask for it. */
  readonly verdictMs: number;
  /** How long a probe may take. Balancers do not wait much longer for a verdict. */
  readonly probeTimeoutMs: number;
  /** How long a failed operation counts when the same operation has not succeeded since. */
  readonly failureMs: number;
}

const LIMITS: HealthLimits = { verdictMs: 1_000, probeTimeoutMs: 2_000, failureMs: 10_000 };

/** The most guilds that are read again because an operation on them failed. */
const MAX_SUSPECTS = 16;

/** What an operation does with the store. */
export type StoreAccess = 'read' | 'write';

/** Whether the store can be read, and written. Each is undefined, or why it cannot. */
export type StoreVerdict = Readonly<Record<StoreAccess, { readonly reason: unknown } | undefined>>;

interface Failure {
  readonly access: StoreAccess;
  readonly at: number;
  readonly reason: unknown;
}

/**
 * Judges whether the store can be read and written: by probes, which do both, and by what became of real operations. A
 * guild whose operation failed is read again by each probe, until that succeeds.
 */
export class StoreHealth {
  readonly #probes: Readonly<Record<StoreAccess, () => Promise<void>>>;
  readonly #running: Partial<Record<StoreAccess, Promise<void>>> = {};
  readonly #failures = new Map<string, Failure>();
  readonly #suspects = new Set<GuildId>();
  readonly #onChange: (verdict: StoreVerdict) => void;
  readonly #limits: HealthLimits;
  #verdict: Promise<StoreVerdict> | undefined;
  #judgedAt = Number.NEGATIVE_INFINITY;
  #last = '';

  /** @param onChange called when something else can be read or written than at the verdict before */
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

  /** Notes that an operation succeeded. */
  succeeded(operation: string): void {
    this.#failures.delete(operation);
  }

  /** Notes that an operation failed for a reason that is the store's. */
  failed(operation: string, access: StoreAccess, reason: unknown, guildIds: readonly GuildId[]): void {
    this.#failures.set(operation, { access, at: performance.now(), reason });
    for (const id of guildIds) if (this.#suspects.size < MAX_SUSPECTS) this.#suspects.add(id);
  }

  /** The verdict, at most `verdictMs` old. However many ask, the store is probed once. */
  verdict(): Promise<StoreVerdict> {
    if (this.#verdict === undefined || performance.now() - this.#judgedAt >= this.#limits.verdictMs) {
      // Until it is there, every caller gets this one.
      this.#judgedAt = Number.POSITIVE_INFINITY;
      this.#verdict = this.#judge().finally(() => {
        this.#judgedAt = performance.now();
      });
    }
    return this.#verdict;
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

  /** Probes, or joins the probe that is under way: one that does not end is not repeated. */
  async #probe(access: StoreAccess): Promise<void> {
    this.#running[access] ??= this.#probes[access]().finally(() => delete this.#running[access]);
    const running = this.#running[access];
    const { probeTimeoutMs } = this.#limits;
    const timeout = new AbortController();
    const late = setTimeout(probeTimeoutMs, undefined, { signal: timeout.signal }).then(() => {
      throw new Error(`Expected a ${access} of the store within ${probeTimeoutMs} ms, received nothing yet`);
    });
    try {
      await Promise.race([running, late]);
    } finally {
      timeout.abort();
      late.catch(() => {});
      running.catch(() => {});
    }
  }

  #recentFailure(access: StoreAccess): Failure | undefined {
    const since = performance.now() - this.#limits.failureMs;
    return [...this.#failures.values()].find((failure) => failure.access === access && failure.at >= since);
  }
}
