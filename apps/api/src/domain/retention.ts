import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import { runSlices } from '../store/background-slice.ts';
import type { Store } from '../store/store.ts';
import { implausibility, isConfirmed, iso, referenceOf } from './clock-plausibility.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** How long changes are kept, and the settings of a guild that the bot has left, in milliseconds. */
export const RETENTION = { changes: 90 * DAY, leftGuilds: 30 * DAY } as const;

/** Whether retention runs; `reason`: why it is stopped. */
export type RetentionState = { readonly status: 'running' } | { readonly status: 'stopped'; readonly reason: string };

interface RetentionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Until when an operator confirmed the clock, in milliseconds since 1970. */
  readonly confirmedUntilMs: number | null;
}

/**
 * Throws away what is past its time, hourly, in slices that leave requests their turn. By a clock that is not plausible it
 * throws nothing away: it logs an error, until the clock is plausible or an operator confirms it.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #stopping = new AbortController();
  #state: RetentionState = { status: 'running' };
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The wall clock's distance from the monotonic one when the clock was first plausible in this process. */
  #offsetMs: number | undefined;
  #ranAtMs = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Whether it runs or is stopped, as the last run found. */
  get state(): RetentionState {
    return this.#state;
  }

  /** When it last ran by a plausible clock, in milliseconds since 1970: no event of now is older than that. */
  get ranAtMs(): number {
    return this.#ranAtMs;
  }

  /** Runs now and every hour. */
  start(): void {
    const run = () => {
      this.#running ??= this.enforce()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'retention failed'))
        .finally(() => {
          this.#running = undefined;
        });
    };
    run();
    this.#timer = setInterval(run, HOUR);
    this.#timer.unref();
  }

  /** Ends it; resolves after the slice under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  /** Throws away everything that is past its time, once. */
  async enforce(): Promise<void> {
    const { store, clock, log } = this.#options;
    const now = clock.nowMs();
    if (!(await this.#mayErase(now))) return;
    const limits = { now, changesBefore: now - RETENTION.changes, leftBefore: now - RETENTION.leftGuilds };
    const pruned = { changes: 0, guilds: 0 };
    await runSlices(async () => {
      const { changes, guilds, isDone } = await store.prune(limits);
      pruned.changes += changes;
      pruned.guilds += guilds;
      return !isDone;
    }, this.#stopping.signal);
    if (pruned.changes > 0 || pruned.guilds > 0) log.info(pruned, 'retention');
  }

  /** Judges the clock, and records the time that stands: the clock's, or the one by which it is not plausible. */
  async #mayErase(nowMs: number): Promise<boolean> {
    const { store, clock, log, confirmedUntilMs } = this.#options;
    const offsetMs = nowMs - clock.monotonicMs();
    const traces = await store.readTimeTraces();
    const reason = implausibility({ nowMs, traces, steppedMs: offsetMs - (this.#offsetMs ?? offsetMs) });
    if (reason !== null && !isConfirmed(nowMs, confirmedUntilMs)) {
      const reference = referenceOf(traces);
      this.#ranAtMs = reference ?? 0;
      if (traces.retentionRanAt === null && reference !== null) await store.recordRetentionRun(reference);
      this.#state = { status: 'stopped', reason };
      log.error(
        `Retention is stopped. ${reason}. Correct the clock; where it is right, restart with RETENTION_CONFIRMED_UNTIL=${iso(nowMs + DAY / 2)}`,
      );
      return false;
    }
    if (reason !== null) log.warn(`Retention goes on, as RETENTION_CONFIRMED_UNTIL confirms the clock. ${reason}`);
    if (reason !== null || this.#offsetMs === undefined) this.#offsetMs = offsetMs;
    this.#ranAtMs = nowMs;
    this.#state = { status: 'running' };
    await store.recordRetentionRun(nowMs);
    return true;
  }
}
