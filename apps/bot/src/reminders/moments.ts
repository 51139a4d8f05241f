import { Temporal } from 'temporal-polyfill';
import type { When } from './parse-when.ts';
import type { Recurrence } from './reminder-schema.ts';

/**
 * The moment that somebody meant, in milliseconds since 1970. Days are days of the calendar in the time zone, so
 * "tomorrow" is the same time of day whatever daylight saving does; a time that a day leaves out is the one as long after,
 * a time that a day has twice is the first of them.
 * @see https://tc39.es/proposal-temporal/docs/ambiguity.html
 * @throws RangeError for an unknown time zone, and for what no calendar holds
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

/** The first time of a recurrence that is after both moments. Milliseconds since 1970. */
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
 * The time at which a recurrence comes next, if the one that is known is so far ahead that the clock must have been set
 * back since. Up to two periods ahead it stays: it would come twice after a small correction. Milliseconds since 1970.
 */
export function withoutGap(every: Recurrence, known: number, now: number, timeZone: string): number {
  const period = every.kind === 'daily' ? 86_400_000 : every.minutes * 60_000;
  if (known - now <= 2 * period) return known;
  if (every.kind === 'daily') return nextOf(every, now, now, timeZone);
  return known - Math.floor((known - now - 1) / period) * period;
}

/** Whether there is such a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    // Each knows some that the other does not.
    new Intl.DateTimeFormat('en', { timeZone: name });
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
