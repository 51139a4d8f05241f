import type { TimeTraces } from '../store/store.ts';

const DAY_MS = 86_400_000;

/** How far a clock may be from the time by which it is judged: a weekend without the service is plausible. */
const PLAUSIBLE_GAP_MS = 3 * DAY_MS;

/** A confirmation counts while it lies no further ahead of the clock than this: it is about one point of time. */
const CONFIRMATION_MS = DAY_MS;

/** A clock beside the times by which it is judged. Times are in milliseconds since 1970. */
export interface ClockReading {
  readonly nowMs: number;
  readonly traces: TimeTraces;
  /** How far the clock has stepped since it was last judged plausible in this process. */
  readonly steppedMs: number;
}

/** Returns when the last retention run was; without one, the newest time in the database. null: it holds no time yet. */
export function referenceOf({ retentionRanAt, newestChangeAt, newestReportAt }: TimeTraces): number | null {
  if (retentionRanAt !== null) return retentionRanAt;
  if (newestChangeAt === null || newestReportAt === null) return newestChangeAt ?? newestReportAt;
  return Math.max(newestChangeAt, newestReportAt);
}

/**
 * Judges a clock before data is erased by it.
 *
 * The newest change counts only until retention has run once: a clock that is wrong dates changes by itself, so they
 * prove nothing about it.
 * @returns why the clock is not plausible; null: it is
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

/** Whether an operator confirmed the clock's present time. */
export function isConfirmed(nowMs: number, confirmedUntilMs: number | null): boolean {
  return confirmedUntilMs !== null && nowMs <= confirmedUntilMs && confirmedUntilMs - nowMs <= CONFIRMATION_MS;
}

/** A time as RFC 3339; a clock may be further off than a date can say. */
export function iso(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${timeMs} ms since 1970` : date.toISOString();
}
