import { EventEmitter, once } from 'node:events';
import type { ReplicaStatus } from './replica-options.ts';

interface LivenessOptions {
  /** The last time when the settings were up to date, in milliseconds since 1970; undefined: never. */
  readonly liveAt: number | undefined;
  /** Returns milliseconds since 1970. */
  readonly clock: () => number;
  /** Returns milliseconds that never decrease. */
  readonly monotonic: () => number;
}

/** The state of a replica's settings: up to date, or stale since some time. */
export class Liveness {
  readonly #clock: () => number;
  readonly #monotonic: () => number;
  readonly #events = new EventEmitter<{ live: [] }>();
  #status: ReplicaStatus;
  /**
   * The last time when they were up to date, by the monotonic clock. For a time before the start it is derived from the
   * system's clock, which may be wrong.
   */
  #liveUntil: number;

  constructor({ liveAt, clock, monotonic }: LivenessOptions) {
    this.#clock = clock;
    this.#monotonic = monotonic;
    this.#liveUntil = monotonic() - Math.max(0, clock() - (liveAt ?? 0));
    this.#status = liveAt === undefined ? { state: 'SYNCING' } : { state: 'STALE', since: new Date(liveAt) };
  }

  get status(): ReplicaStatus {
    return this.#status;
  }

  get isLive(): boolean {
    return this.#status.state === 'LIVE';
  }

  /**
   * Milliseconds since the settings were last up to date: 0 while they are, `NaN` if they never were. If they never
   * were and are held back on purpose, the time since then.
   */
  get ageMs(): number {
    if (this.isLive) return 0;
    return this.#status.state === 'SYNCING' ? Number.NaN : this.#monotonic() - this.#liveUntil;
  }

  enter(): void {
    const isNew = !this.isLive;
    this.#status = { state: 'LIVE' };
    if (isNew) this.#events.emit('live');
  }

  leave(): void {
    if (!this.isLive) return;
    this.#status = { state: 'STALE', since: new Date(this.#clock()) };
    this.#liveUntil = this.#monotonic();
  }

  /** Old settings are served on purpose: a replica that was never up to date is then stale, not syncing. */
  hold(): void {
    if (this.#status.state !== 'SYNCING') return;
    this.#status = { state: 'STALE', since: new Date(this.#clock()) };
    this.#liveUntil = this.#monotonic();
  }

  /** Resolves when the settings are up to date. @throws AbortError when the signal is aborted before */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.isLive) await once(this.#events, 'live', { signal });
  }
}
