import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import { runSlices } from '../store/background-slice.ts';
import type { ErasureStore, RetentionStore, TimeTraces } from '../store/store.ts';

const DAY_MS = 86_400_000;
const INTERVAL_MS = 3_600_000;

interface RetentionTimes {
  readonly changesMs: number;
  readonly leftGuildsMs: number;
}

export type RetentionState = { readonly status: 'running' } | { readonly status: 'stopped'; readonly reason: string };

interface RetentionOptions {
  readonly store: RetentionStore & ErasureStore;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly times: RetentionTimes;
  /** Time up to which an operator has confirmed the clock, in milliseconds since 1970; null: not confirmed. */
  readonly confirmedUntilMs: number | null;
}

/**
 * Deletes data past its retention every hour, in slices between which requests are handled. While the clock is not
 * plausible it deletes nothing and logs an error, until the clock is corrected or an operator confirms it. Erasures
 * that a process left unfinished are completed first, without a check of the clock: they were requested.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #stopping = new AbortController();
  #state: RetentionState = { status: 'running' };
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #offsetMs: number | undefined;
  #ranAtMs = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  get state(): RetentionState {
    return this.#state;
  }

  /** Last run with a plausible clock, in milliseconds since 1970. New events cannot be older. */
  get ranAtMs(): number {
    return this.#ranAtMs;
  }

  start(): void {
    const run = () => {
      this.#running ??= this.#run()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'retention failed'))
        .finally(() => {
          this.#running = undefined;
        });
    };
    run();
    this.#timer = setInterval(run, INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { store } = this.#options;
    await Promise.all([store.finishErasures('guild'), store.finishErasures('person')]);
    await this.enforce();
    // Runs last, so that an unusable ledger does not stop retention.
    await store.applyLedger();
  }

  async enforce(): Promise<void> {
    const { store, clock, log, times } = this.#options;
    const now = clock.nowMs();
    if (!(await this.#mayErase(now))) return;
    const limits = { now, changesBefore: now - times.changesMs, leftBefore: now - times.leftGuildsMs };
    const pruned = { changes: 0, guilds: 0 };
    await runSlices(async () => {
      const { changes, guilds, isDone } = await store.prune(limits);
      pruned.changes += changes;
      pruned.guilds += guilds;
      return !isDone;
    }, this.#stopping.signal);
    if (pruned.changes > 0 || pruned.guilds > 0) log.info(pruned, 'retention');
  }

  /** Checks the clock and records its time; if it is not plausible, records the time of comparison. */
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
        `Retention is stopped. ${reason}. Correct the clock. If it is right, restart with RETENTION_CONFIRMED_UNTIL=${iso(nowMs + DAY_MS / 2)}`,
      );
      return false;
    }
    if (reason !== null)
      log.warn(`Retention continues because RETENTION_CONFIRMED_UNTIL confirms the clock. ${reason}`);
    if (reason !== null || this.#offsetMs === undefined) this.#offsetMs = offsetMs;
    this.#ranAtMs = nowMs;
    this.#state = { status: 'running' };
    await store.recordRetentionRun(nowMs);
    return true;
  }
}

/** Maximum plausible difference of the clock from the time of comparison: the service may be down for a weekend. */
const PLAUSIBLE_GAP_MS = 3 * DAY_MS;

/** Maximum time that a confirmation may be ahead of the clock: it confirms a single point of time. */
const CONFIRMATION_MS = DAY_MS;

interface ClockReading {
  readonly nowMs: number;
  readonly traces: TimeTraces;
  /** Time by which the clock was set since this process last found it plausible. */
  readonly steppedMs: number;
}

/** Returns the time of the last retention run, otherwise the newest time in the database; null: none. */
function referenceOf({ retentionRanAt, newestChangeAt, newestReportAt }: TimeTraces): number | null {
  if (retentionRanAt !== null) return retentionRanAt;
  if (newestChangeAt === null || newestReportAt === null) return newestChangeAt ?? newestReportAt;
  return Math.max(newestChangeAt, newestReportAt);
}

/**
 * Checks a clock before data is erased by it.
 *
 * The newest change counts only until retention has run once, because a wrong clock has dated the changes as well.
 * @returns the reason why the clock is not plausible; null: it is plausible
 */
function implausibility({ nowMs, traces, steppedMs }: ClockReading): string | null {
  const reference = referenceOf(traces);
  if (reference !== null && Math.abs(nowMs - reference) > PLAUSIBLE_GAP_MS) {
    const what = traces.retentionRanAt === null ? 'the newest time in the database' : 'the last retention run';
    return `Expected a clock within 3 days of ${what}, ${iso(reference)}; received ${iso(nowMs)}`;
  }
  if (Math.abs(steppedMs) <= PLAUSIBLE_GAP_MS) return null;
  return `Expected a clock within 3 days of this process's monotonic clock, ${iso(nowMs - steppedMs)}; received ${iso(nowMs)}`;
}

function isConfirmed(nowMs: number, confirmedUntilMs: number | null): boolean {
  return confirmedUntilMs !== null && nowMs <= confirmedUntilMs && confirmedUntilMs - nowMs <= CONFIRMATION_MS;
}

function iso(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${timeMs} ms since 1970` : date.toISOString();
}
