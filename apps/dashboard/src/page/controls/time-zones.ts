import { folded } from '@guild-settings/contract/settings';

/** Maximum zones that are offered at once. */
const MOST = 40;

/** The names of all zones that this browser supports. */
let all: readonly string[] | undefined;

function allZones(): readonly string[] {
  all ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
  return all;
}

/**
 * Returns the time zones matching a search, the most likely first: by name and city, by offset, and by localized name.
 * Without a search, that of this device, UTC, and those of the same region.
 * @param read the zones that the text is parsed as
 */
export function zonesFor(typed: string, read: readonly string[], language: string): readonly string[] {
  const wanted = searched(typed);
  if (wanted === '') {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    return firstOf([own, 'UTC', ...allZones().filter((zone) => areaOf(zone) === areaOf(own))]);
  }
  const named = allZones().filter((zone) => searched(zone).includes(wanted));
  const offset = /^(?:utc|gmt)?\s*([+\-\u2212]\s*\d.*)$/.exec(wanted)?.[1]?.replaceAll(/\s/g, '');
  if (offset !== undefined) {
    const at = Date.now();
    return firstOf([...read, ...allZones().filter((zone) => isAt(zone, offset, at))]);
  }
  const isCity = (zone: string) => searched(zone).split('/').at(-1)?.startsWith(wanted) === true;
  const byCity = [...named.filter(isCity), ...named.filter((zone) => !isCity(zone))];
  const called = byCity.length < MOST && wanted.length > 2 ? calledZones(wanted, language) : [];
  return firstOf([...read, ...byCity, ...called]);
}

function firstOf(zones: readonly string[]): readonly string[] {
  return [...new Set(zones)].filter(isKnown).slice(0, MOST);
}

/** Returns true if this browser supports a zone: the parser may know more zones. */
function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

function areaOf(zone: string): string | undefined {
  return zone.split('/')[0];
}

function searched(text: string): string {
  return folded(text)
    .replaceAll(/[\s_]+/g, ' ')
    .trim();
}

/** Returns the difference of a zone to UTC in a language: "GMT+2". */
export function offsetIn(zone: string, atMs: number, language: string): string {
  return zoneNameIn(zone, 'shortOffset', language, atMs);
}

/** Returns true if a zone currently has a typed offset: `+2`, `+02:00` or `+530`. */
function isAt(zone: string, offset: string, atMs: number): boolean {
  const minutesOf = (text: string) => {
    const [, sign, hours = '0', minutes = '0'] = /([+\-\u2212])(\d{1,2}):?(\d{2})?/.exec(text) ?? [];
    return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes));
  };
  return minutesOf(zoneNameIn(zone, 'longOffset', 'en', atMs)) === minutesOf(offset);
}

/** Cached formats: creating those of all zones takes some 60 ms. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function zoneNameIn(
  timeZone: string,
  timeZoneName: 'shortOffset' | 'longOffset' | 'longGeneric',
  language: string,
  atMs: number,
): string {
  const key = `${timeZone} ${timeZoneName} ${language}`;
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat(language, { timeZone, timeZoneName });
  FORMATS.set(key, format);
  const parts = format.formatToParts(atMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

const NAMES = new Map<string, ReadonlyMap<string, string>>();

/** Returns the zones whose localized names match a text: `central european` finds Europe/Berlin. */
function calledZones(wanted: string, language: string): readonly string[] {
  let names = NAMES.get(language);
  if (names === undefined) {
    const at = Date.now();
    const nameOf = (zone: string) => searched(zoneNameIn(zone, 'longGeneric', language, at));
    names = new Map(allZones().map((zone) => [zone, nameOf(zone)]));
    NAMES.set(language, names);
  }
  return [...names].filter(([, name]) => name.includes(wanted)).map(([zone]) => zone);
}
