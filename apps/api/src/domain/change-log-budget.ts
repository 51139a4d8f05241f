import { ProblemError } from '@guild-settings/contract';
import type { Change, LoggedBytes } from '../store/store.ts';

const DAY_MS = 86_400_000;

/** Bytes of a change in the log beside its JSON: ids, times, and its index entries. */
const LINE_BYTES = 256;

/**
 * Adds a change to the bytes that settings changes of its guild have logged on the change's UTC day.
 * @param bytesPerDay 0: no limit
 * @throws ProblemError change-log-full when the day's bytes are used up
 */
export function chargeChangeLog(logged: LoggedBytes, change: Change, bytesPerDay: number): LoggedBytes {
  if (bytesPerDay === 0) return logged;
  const today = Math.floor(change.at / DAY_MS);
  // Clocks of two processes differ by a little at midnight: a day that one has begun, the other continues.
  const isToday = logged.day === today || logged.day === today + 1;
  const day = isToday ? logged.day : today;
  const bytes = (isToday ? logged.bytes : 0) + bytesOf(change);
  if (bytes > bytesPerDay) {
    const retryAfter = Math.max(1, Math.ceil(((day + 1) * DAY_MS - change.at) / 1_000));
    throw new ProblemError('change-log-full', { retryAfter });
  }
  return { day, bytes };
}

/** Bytes that a change takes in the log, about. */
function bytesOf({ before, after, reason }: Change): number {
  return LINE_BYTES + Buffer.byteLength(JSON.stringify(before) + JSON.stringify(after) + (reason ?? ''));
}
