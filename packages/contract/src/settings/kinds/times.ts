import type { Flaw } from '../flaw.ts';
import { isTimeZone, timeZoneName } from '../time-zones.ts';
import { kind } from './kind.ts';

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const NOT_TIME: Flaw = { key: 'notTime', count: 0, expected: 'a time of day as HH:MM, from 00:00 to 23:59' };

/** A time of day as `HH:MM`. */
export const TIME = kind<'time'>({
  type: 'string',
  control: 'time',
  empty: undefined,
  initial: () => '00:00',
  flaws: (item) => (TIME_OF_DAY.test(String(item)) ? [] : [NOT_TIME]),
  parse: (typed, _options, words) => words.valueIn('time', typed),
  hasSpaces: true,
  example: '18:30',
  keywords: () => ({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    description: 'A time of day as HH:MM, from 00:00 to 23:59.',
  }),
  maxBytes: () => '"HH:MM"'.length,
});

/** The length of the longest time zone name, `America/Argentina/ComodRivadavia`, with room for longer ones. */
const MAX_ZONE = 50;

const NOT_TIME_ZONE: Flaw = {
  key: 'notTimeZone',
  count: 0,
  expected: 'the IANA name of a time zone, such as Europe/Berlin or UTC',
};

/** A time zone by its IANA name. */
export const TIME_ZONE = kind<'timeZone'>({
  type: 'string',
  control: 'timeZone',
  empty: 'UTC',
  flaws(item) {
    const name = String(item);
    return name.length <= MAX_ZONE && isTimeZone(name) ? [] : [NOT_TIME_ZONE];
  },
  stored: (item) => timeZoneName(String(item)),
  parse: (typed, _options, words) => words.valueIn('timeZone', typed),
  example: 'Europe/Berlin',
  keywords: () => ({ maxLength: MAX_ZONE, description: 'The IANA name of a time zone, such as Europe/Berlin.' }),
  maxBytes: () => 2 + MAX_ZONE,
});
