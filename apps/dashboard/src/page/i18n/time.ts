const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The range of each unit: "59 minutes ago", then "1 hour ago". */
const UNITS = [
  { unit: 'second', size: SECOND, below: MINUTE },
  { unit: 'minute', size: MINUTE, below: HOUR },
  { unit: 'hour', size: HOUR, below: DAY },
  { unit: 'day', size: DAY, below: 30 * DAY },
  { unit: 'month', size: 30 * DAY, below: 365 * DAY },
  { unit: 'year', size: 365 * DAY, below: Number.POSITIVE_INFINITY },
] as const;

/**
 * Returns a time relative to now: "3 minutes ago", "yesterday", "now". A time in the future, which results if the local
 * clock is slow, is now.
 */
export function relativeTime(atMs: number, nowMs: number, language: string): string {
  const passed = Math.max(0, nowMs - atMs);
  const { unit, size } = UNITS.find(({ below }) => passed < below) ?? UNITS[5];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  // "In 0 seconds" and "4 seconds ago" are not helpful.
  return passed < 5 * SECOND ? format.format(0, 'second') : format.format(-Math.floor(passed / size), unit);
}

/** Returns the milliseconds until the text of {@link relativeTime} changes. */
export function untilNextTextMs(atMs: number, nowMs: number): number {
  const passed = Math.max(0, nowMs - atMs);
  const { size } = UNITS.find(({ below }) => passed < below) ?? UNITS[5];
  return passed < 5 * SECOND ? 5 * SECOND - passed : size - (passed % size);
}

/** Returns the date and time of a change, in the reader's time zone unless given. */
export function absoluteTime(atMs: number, language: string, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium', timeZone });
  return format.format(atMs);
}

/** Returns a time for use within a sentence, with its date unless it is today. */
export function timeText(atMs: number, nowMs: number, { language, timeZone }: DayOptions): string {
  const isToday = dayNumber(atMs, timeZone) === dayNumber(nowMs, timeZone);
  const dateStyle = isToday ? undefined : 'medium';
  return new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'medium', timeZone }).format(atMs);
}

const CLOCKS = new Map<string, Intl.DateTimeFormat>();

/** Returns the time of day in a time zone as `HH:MM`; undefined: this browser does not support the zone. */
export function timeIn(timeZone: string, atMs: number): string | undefined {
  try {
    const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
    const clock = CLOCKS.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options);
    CLOCKS.set(timeZone, clock);
    return clock.format(atMs);
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds until the time of day changes. */
export function untilNextMinuteMs(nowMs: number): number {
  return MINUTE - (nowMs % MINUTE);
}

/** Returns the day of a change as a heading: "Today", "Yesterday", "November 20, 2026". */
export function dayHeading(atMs: number, nowMs: number, { language, timeZone }: DayOptions): string {
  const days = dayNumber(nowMs, timeZone) - dayNumber(atMs, timeZone);
  if (days <= 1) return capitalized(relativeDay(Math.max(0, days), language), language);
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(atMs);
}

interface DayOptions {
  readonly language: string;
  readonly timeZone?: string;
}

function relativeDay(days: number, language: string): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day');
}

function dayNumber(atMs: number, timeZone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone });
  const part = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  return Math.floor(Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1) / DAY);
}

function capitalized(text: string, language: string): string {
  const [first = '', ...rest] = text;
  return first.toLocaleUpperCase(language) + rest.join('');
}
