import { Ambiguous } from '@guild-settings/contract/settings';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { isTimeZone, momentOf, nextOf } from './moments.ts';
import { parseWhen } from './parse-when.ts';
import type { Recurrence } from './reminder-schema.ts';

const BERLIN = 'Europe/Berlin';
const DAY = 86_400_000;

const at = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds;

function meant(typed: string, now: string, timeZone: string): string {
  const when = parseWhen(typed, 'en-US');
  if (when === undefined || when instanceof Ambiguous) throw new Error(`not understood: ${typed}`);
  return local(momentOf(when, at(now), timeZone), timeZone);
}

function local(moment: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'minute' });
}

describe('a moment', () => {
  test.each([
    ['in 90m', '2026-06-01T10:00Z', BERLIN, '2026-06-01T13:30+02:00'],
    ['18:00', '2026-06-01T15:59Z', BERLIN, '2026-06-01T18:00+02:00'],
    ['18:00', '2026-06-01T16:00Z', BERLIN, '2026-06-02T18:00+02:00'],
    ['today 18:00', '2026-06-01T17:00Z', BERLIN, '2026-06-01T18:00+02:00'],
    ['tomorrow', '2026-06-01T20:00Z', 'Asia/Kolkata', '2026-06-03T09:00+05:30'],
    ['2026-12-24 18:00', '2026-06-01T10:00Z', 'America/New_York', '2026-12-24T18:00-05:00'],
    ['tomorrow 9:00', '2026-03-28T12:00Z', BERLIN, '2026-03-29T09:00+02:00'],
    ['tomorrow 9:00', '2026-10-31T18:00Z', 'America/New_York', '2026-11-01T09:00-05:00'],
    // Days are calendar days, hours are exact.
    ['in 1 day', '2026-03-28T11:00Z', BERLIN, '2026-03-29T12:00+02:00'],
    ['in 24 hours', '2026-03-28T11:00Z', BERLIN, '2026-03-29T13:00+02:00'],
    // A time that the day skips is moved by the skipped time.
    ['2026-03-29 2:30', '2026-03-01T00:00Z', BERLIN, '2026-03-29T03:30+02:00'],
    ['2:30', '2026-03-29T00:30Z', BERLIN, '2026-03-29T03:30+02:00'],
    ['2:30', '2026-03-29T01:30Z', BERLIN, '2026-03-30T02:30+02:00'],
    // For a time that occurs twice on the day, the first.
    ['2026-10-25 2:30', '2026-10-01T00:00Z', BERLIN, '2026-10-25T02:30+02:00'],
    ['2:30', '2026-10-25T00:40Z', BERLIN, '2026-10-26T02:30+01:00'],
  ])('"%s" at %s in %s is %s, whatever daylight saving does', (typed, now, timeZone, expected) => {
    expect(meant(typed, now, timeZone)).toBe(expected);
  });
});

describe('the next time', () => {
  const daily: Recurrence = { kind: 'daily', hour: 2, minute: 30 };

  /** The consecutive local times of a recurrence. */
  function run(from: string, count: number, timeZone: string): string[] {
    const times: string[] = [];
    for (let moment = at(from); times.length < count; ) {
      moment = nextOf(daily, moment, moment, timeZone);
      times.push(local(moment, timeZone));
    }
    return times;
  }

  test('of a day recurs once a day over both changes', () => {
    expect(run('2026-03-28T00:00Z', 3, BERLIN)).toEqual([
      '2026-03-28T02:30+01:00',
      '2026-03-29T03:30+02:00',
      '2026-03-30T02:30+02:00',
    ]);
    expect(run('2026-10-24T00:00Z', 3, BERLIN)).toEqual([
      '2026-10-24T02:30+02:00',
      '2026-10-25T02:30+02:00',
      '2026-10-26T02:30+01:00',
    ]);
    expect(run('2026-11-01T00:00Z', 2, 'Asia/Kolkata')).toEqual(['2026-11-02T02:30+05:30', '2026-11-03T02:30+05:30']);
  });

  test('after a long pause is one, and keeps its step', () => {
    const previous = at('2026-01-01T00:00Z');
    const every: Recurrence = { kind: 'interval', minutes: 45 };
    const next = nextOf(every, previous, previous + 100 * DAY + 1, 'UTC');
    expect(next - previous - 100 * DAY).toBe(45 * 60_000);
    expect(nextOf(daily, previous, previous + 100 * DAY, 'UTC')).toBe(previous + 100 * DAY + 9_000_000);
  });

  test('is after the last and after now, whichever clock was set', () => {
    const recurrence: fc.Arbitrary<Recurrence> = fc.oneof(
      fc.record({ kind: fc.constant('interval' as const), minutes: fc.integer({ min: 1, max: 600_000 }) }),
      fc.record({
        kind: fc.constant('daily' as const),
        hour: fc.integer({ min: 0, max: 23 }),
        minute: fc.integer({ min: 0, max: 59 }),
      }),
    );
    const moment = fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2040-01-01T00:00Z') });
    const zone = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'America/Havana', 'UTC');
    const property = fc.property(recurrence, moment, moment, zone, (every, previous, now, timeZone) => {
      const next = nextOf(every, previous, now, timeZone);
      const longest = every.kind === 'daily' ? 25.5 * 3_600_000 : every.minutes * 60_000;
      return next > now && next > previous && next - Math.max(now, previous) <= longest;
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

test('a time zone that the calendar or the formatting of dates does not know is no time zone', () => {
  const names = ['Europe/Berlin', 'europe/berlin', 'UTC', 'EST', 'IST', 'PST', '+05:30', '', 'Mars/Base', '\u0000'];
  expect(names.filter(isTimeZone)).toEqual(['Europe/Berlin', 'europe/berlin', 'UTC', 'EST', '+05:30']);
});
