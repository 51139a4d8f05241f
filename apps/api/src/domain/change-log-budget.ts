import { ProblemError } from '@guild-settings/contract';
import type { Change, LoggedBytes } from '../store/store.ts';

const DAY_MS = 86_400_000;

/** What a line of the change log takes beside its JSON: ids, times, and its entries in the indexes. */
const LINE_BYTES = 256;

/** Bounds the bytes that settings changes of one guild add to the change log in one UTC day. */
export class ChangeLogBudget {
  readonly #bytesPerDay: number;

  /** @param bytesPerDay 0: no limit */
  constructor(bytesPerDay: number) {
    this.#bytesPerDay = bytesPerDay;
  }

  /**
   * Adds a change to what its guild has logged on the change's day. To be called inside the write transaction, so that
   * all processes count together.
   * @throws ProblemError change-log-full when the day's bytes are used up
   */
  charge(logged: LoggedBytes, change: Change): LoggedBytes {
    if (this.#bytesPerDay === 0) return logged;
    const today = Math.floor(change.at / DAY_MS);
    // Clocks of two processes differ by a little at midnight: what one has begun, the other goes on with.
    const isToday = logged.day === today || logged.day === today + 1;
    const day = isToday ? logged.day : today;
    const bytes = (isToday ? logged.bytes : 0) + bytesOf(change);
    if (bytes > this.#bytesPerDay) {
      const retryAfter = Math.max(1, Math.ceil(((day + 1) * DAY_MS - change.at) / 1_000));
      throw new ProblemError('change-log-full', { retryAfter });
    }
    return { day, bytes };
  }
}

/** Bytes that a change takes in the log, about. */
export function bytesOf({ before, after, reason }: Change): number {
  return LINE_BYTES + Buffer.byteLength(JSON.stringify(before) + JSON.stringify(after) + (reason ?? ''));
}
