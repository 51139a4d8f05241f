import { Ambiguous, folded, isTimeZone, plainDigits, timeZoneName } from '@guild-settings/contract/settings';
import { ABBREVIATIONS, CITIES, RENAMED, UNLISTED } from './zone-names.ts';

/** Maximum zones that are offered for an ambiguous text. */
const MAX_MEANINGS = 5;

const MAX_TYPED = 80;

/**
 * Returns the time zone for a text: an IANA name, a city, an offset that a single zone has all year, or a name in
 * `Intl` in one of the five languages. Abbreviations are always ambiguous.
 */
export function timeZoneIn(typed: string): string | Ambiguous | undefined {
  const text = plainDigits(typed).replaceAll(/\s+/g, ' ');
  if (text === '' || typed.length > MAX_TYPED) return undefined;
  const key = keyOf(text);
  const { abbreviations, cities } = names();
  const short = abbreviations.get(key);
  if (short !== undefined) return new Ambiguous(short);
  const name = text.replaceAll(/ ?\/ ?/g, '/').replaceAll(' ', '_');
  if (isTimeZone(name)) return timeZoneName(name);
  // A runtime need not support each of the names here.
  return withOffset(text) ?? oneOf([...(cities.get(key) ?? [])].filter(isTimeZone)) ?? oneOf(printed(key));
}

function oneOf(zones: Iterable<string> = []): string | Ambiguous | undefined {
  const all = [...zones];
  return all.length > 1 ? new Ambiguous(all.slice(0, MAX_MEANINGS)) : all[0];
}

function keyOf(text: string): string {
  return folded(text)
    .replaceAll(/[\s_./,\u2010-\u2013-]+/g, ' ')
    .trim();
}

interface Names {
  /** The zones by the city in their names, and by other cities in which they are used. */
  readonly cities: ReadonlyMap<string, ReadonlySet<string>>;
  readonly abbreviations: ReadonlyMap<string, readonly string[]>;
  /** All zones by their current names, most populous first. */
  readonly zones: ReadonlySet<string>;
}

let known: Names | undefined;

function names(): Names {
  known ??= namesOf();
  return known;
}

function namesOf(): Names {
  const renamed = new Map(RENAMED.split(/\s+/).map((pair) => pair.split('=') as [string, string]));
  const today = (name: string) => renamed.get(name) ?? name;
  const listed = Intl.supportedValuesOf('timeZone').filter((name) => /^(?!Etc)\w+\//.test(name));
  const zones = listed.map((name) => (renamed.has(name) && isTimeZone(today(name)) ? today(name) : name));
  const cities = new Map<string, Set<string>>();
  const add = (city: string, zone: string) => {
    const key = keyOf(city);
    cities.set(key, (cities.get(key) ?? new Set()).add(zone));
  };
  // Parts of a country exist in many countries: Australia/South, Mexico/General.
  const withCity = [...zones, ...UNLISTED.split(/\s+/)].filter(
    (zone) => !/\/(?:ACT|North|South|East|West|General)$/.test(zone),
  );
  for (const zone of withCity) add(cityOf(zone), zone);
  // The old name of a city stays a link.
  for (const old of renamed.keys()) if (cityOf(old) !== cityOf(today(old))) add(cityOf(old), old);
  const zoneOf = (city: string) => [...(cities.get(keyOf(city)) ?? [])].slice(0, 1);
  const abbreviations = new Map<string, readonly string[]>();
  const used = new Set<string>();
  for (const line of ABBREVIATIONS.split('\n')) {
    const [short = '', users = ''] = line.split('=');
    const meant = users.split(' ').flatMap(zoneOf);
    for (const one of short.split(' ')) abbreviations.set(keyOf(one), meant);
    for (const zone of meant) used.add(zone);
  }
  for (const line of CITIES.split('\n')) {
    const [city = '', others = ''] = line.split('=');
    for (const zone of zoneOf(city)) for (const other of others.split('|')) add(other, zone);
  }
  return { cities, abbreviations, zones: new Set([...used, ...zones]) };
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}

const OFFSET = /^(?:(?:utc|gmt|z)|(?:utc|gmt)? ?([+-]) ?(\d{1,2})(?::?([0-5]\d))?)$/i;

/**
 * Returns the zone that has an offset all year. Zones of whole hours are `Etc/GMT-3`, with the sign of POSIX: minus is
 * ahead of UTC.
 */
function withOffset(text: string): string | Ambiguous | undefined {
  const [all, sign, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? [];
  if (all === undefined) return undefined;
  const [ahead, rest] = [Number(hours), Number(minutes)];
  if (ahead === 0 && rest === 0) return 'UTC';
  const name = `Etc/GMT${sign === '-' ? '+' : '-'}${ahead}`;
  if (rest === 0) return isTimeZone(name) ? name : undefined;
  // Zones are only searched for offsets that exist.
  if (rest % 15 !== 0 || ahead > 14) return undefined;
  const offset = `GMT${sign}${String(ahead).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  return oneOf(zonesByOffset().get(offset));
}

let byOffset: { readonly year: number; readonly zones: ReadonlyMap<string, readonly string[]> } | undefined;

/** Returns the zones by the offset that they have all year. Querying `Intl` for all of them takes some 50 ms, once. */
function zonesByOffset(): ReadonlyMap<string, readonly string[]> {
  const year = new Date().getUTCFullYear();
  if (byOffset?.year !== year) {
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(year, month, 15));
    const zones = new Map<string, string[]>();
    for (const zone of names().zones) {
      const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
      const offset = nameIn(format, months[0] ?? 0);
      if (months.every((month) => nameIn(format, month) === offset)) {
        zones.set(offset, [...(zones.get(offset) ?? []), zone]);
      }
    }
    byOffset = { year, zones };
  }
  return byOffset.zones;
}

function nameIn(format: Intl.DateTimeFormat, time: number): string {
  return format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The languages of the service, by letters and words in their names of time zones, and in those of a region. */
const PRINTED_IN = [
  [/\p{sc=Cyrl}/u, /^/, 'ru'],
  [/[\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}].*(?:時|時間)$/u, /時/, 'ja'],
  [/समय|टाइम/, /समय|टाइम/, 'hi'],
  [/^(?:hora|tiempo) /, /^/, 'es-ES'],
  [/ time(?: \(.*\))?$/, /^/, 'en-US'],
] as const;

/** The forms of names: of a country or a city, then of a region, whose zones all have the second one. */
const FORMS = ['shortGeneric', 'long', 'longGeneric'] as const;

const PRINTED = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

/** Returns the zones with a name in one of the languages. Reading all names of a form takes some 100 ms, once. */
function printed(key: string): ReadonlySet<string> | undefined {
  const text = key.normalize('NFC');
  const [, region, language] = PRINTED_IN.find(([pattern]) => pattern.test(text)) ?? [];
  if (language === undefined) return undefined;
  for (const form of FORMS) {
    if (form !== 'shortGeneric' && !region?.test(text)) return undefined;
    const known = PRINTED.get(`${language} ${form}`) ?? printedIn(language, form);
    PRINTED.set(`${language} ${form}`, known);
    const zones = known.get(key);
    if (zones !== undefined) return zones;
  }
  return undefined;
}

function printedIn(language: string, form: (typeof FORMS)[number]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  const year = new Date().getUTCFullYear();
  const seasons = [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)];
  for (const timeZone of names().zones) {
    const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: form });
    for (const time of seasons) {
      const name = keyOf(nameIn(format, time));
      all.set(name, (all.get(name) ?? new Set()).add(timeZone));
    }
  }
  return all;
}

/**
 * Finds the time zones for a partial input: those of an abbreviation or an offset, then those with a matching word in
 * their name or the name of a city. Most populous zones come first.
 */
export function timeZonesLike(typed: string, max: number): readonly string[] {
  const text = plainDigits(typed);
  const key = keyOf(text);
  const { abbreviations, cities, zones } = names();
  const isLike = (name: string) => ` ${name}`.includes(` ${key}`);
  const offset = withOffset(text);
  const first = [
    ...(abbreviations.get(key) ?? []),
    ...(offset instanceof Ambiguous ? offset.meanings : [offset ?? []].flat()),
  ];
  const inCities = new Set([...cities].flatMap(([city, found]) => (isLike(city) ? [...found] : [])));
  const found = [...zones].filter((zone) => inCities.has(zone) || isLike(keyOf(zone)));
  return [...new Set([...first, ...found, ...inCities])].slice(0, max);
}

const LABELS = new Map<string, string>();

/**
 * Returns the name of a time zone by `Intl` in a language: its city, its country or its region; undefined: an
 * abbreviation or an offset.
 */
export function timeZoneLabel(timeZone: string, language: string): string | undefined {
  const key = `${language} ${timeZone}`;
  let label = LABELS.get(key);
  if (label === undefined) {
    const styles = ['shortGeneric', 'longGeneric'] as const;
    const all = styles.map((style) =>
      nameIn(new Intl.DateTimeFormat(language, { timeZone, timeZoneName: style }), Date.now()),
    );
    label = all.find((name) => !/^[A-Z]{1,5}(?: \(|$)|\d|^(?:UTC|GMT)/.test(name)) ?? '';
    LABELS.set(key, label);
  }
  return label === '' ? undefined : label;
}
