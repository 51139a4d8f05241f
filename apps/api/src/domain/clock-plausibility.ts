import type { TimeTraces } from '../store/store.ts';

const DAY_MS = 86_400_000;

/** Maximum difference of a plausible clock from the time that it is compared to: a weekend without the service is plausible. */
const PLAUSIBLE_GAP_MS = 3 * DAY_MS;

/** Maximum time that a valid confirmation is ahead of the clock: it confirms one point of time. */
const CONFIRMATION_MS = DAY_MS;

export interface ClockReading {
  readonly nowMs: number;
  readonly traces: TimeTraces;
  /** Time by which the clock was set since it was last found plausible in this process. */
  readonly steppedMs: number;
}

/** Returns the time of the last retention run, or else the newest time in the database; null: there is none. */
export function referenceOf({ retentionRanAt, newestChangeAt, newestReportAt }: TimeTraces): number | null {
  if (retentionRanAt !== null) return retentionRanAt;
  if (newestChangeAt === null || newestReportAt === null) return newestChangeAt ?? newestReportAt;
  return Math.max(newestChangeAt, newestReportAt);
}

/**
 * Checks a clock before data is erased by it.
 *
 * The newest change counts only until retention has run once: a clock that is wrong has dated the changes as well.
 * @returns why the clock is not plausible; null: it is plausible
 */
export function implausibility({ nowMs, traces, steppedMs }: ClockReading): string | null {
  const reference = referenceOf(traces);
  if (reference !== null && Math.abs(nowMs - reference) > PLAUSIBLE_GAP_MS) {
    const what = traces.retentionRanAt === null ? 'the newest time in the database' : 'the last retention run';
    return `Expected a clock within 3 days of ${what}, ${iso(reference)}; received ${iso(nowMs)}`;
  }
  if (Math.abs(steppedMs) <= PLAUSIBLE_GAP_MS) return null;
  return `Expected a clock within 3 days of this process's monotonic clock, ${iso(nowMs - steppedMs)}; received ${iso(nowMs)}`;
}

export function isConfirmed(nowMs: number, confirmedUntilMs: number | null): boolean {
  return confirmedUntilMs !== null && nowMs <= confirmedUntilMs && confirmedUntilMs - nowMs <= CONFIRMATION_MS;
}

export function iso(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${timeMs} ms since 1970` : date.toISOString();
}
