import { Temporal } from 'temporal-polyfill';
import type { When } from './parse-when.ts';
import type { Recurrence } from './reminder-schema.ts';

/**
 * Returns a point in time in milliseconds since 1970. Days are calendar days of the time zone, so "tomorrow" is the
 * same time of day over a change of daylight saving. A time that a day skips is moved by the skipped time, and of a
 * time that occurs twice, the first is used.
 * @see https://tc39.es/proposal-temporal/docs/ambiguity.html
 * @throws RangeError for an unknown time zone, and for a time outside the calendar
 */
export function momentOf(when: When, now: number, timeZone: string): number {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  switch (when.kind) {
    case 'ahead':
      return here.add({ days: when.span.days }).add({ seconds: when.span.seconds }).epochMilliseconds;
    case 'time': {
      const at = (days: number) =>
        here.toPlainDate().add({ days }).toZonedDateTime({ timeZone, plainTime: when.time }).epochMilliseconds;
      if (when.day === 'next') return at(0) > now ? at(0) : at(1);
      return at(when.day === 'today' ? 0 : 1);
    }
    case 'date':
      return when.date.toZonedDateTime({ timeZone, plainTime: when.time }).epochMilliseconds;
  }
}

/** Returns the first time of a recurrence after both `previous` and `now`, in milliseconds since 1970. */
export function nextOf(every: Recurrence, previous: number, now: number, timeZone: string): number {
  switch (every.kind) {
    case 'interval': {
      const step = every.minutes * 60_000;
      const missed = Math.max(0, Math.floor((now - previous) / step));
      return previous + (missed + 1) * step;
    }
    case 'daily': {
      const time = Temporal.PlainTime.from(every);
      return momentOf({ kind: 'time', time, day: 'next' }, Math.max(previous, now), timeZone);
    }
  }
}

/**
 * Returns the next time of a recurrence, corrected if `known` is so far ahead that the clock must have been set back.
 * Up to two periods ahead it stays, so that a small correction does not cause a second delivery. In milliseconds since
 * 1970.
 */
export function withoutGap(every: Recurrence, known: number, now: number, timeZone: string): number {
  const period = every.kind === 'daily' ? 86_400_000 : every.minutes * 60_000;
  if (known - now <= 2 * period) return known;
  if (every.kind === 'daily') return nextOf(every, now, now, timeZone);
  return known - Math.floor((known - now - 1) / period) * period;
}

export function isTimeZone(name: string): boolean {
  try {
    // Temporal and Intl each support zones that the other does not.
    new Intl.DateTimeFormat('en', { timeZone: name });
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
