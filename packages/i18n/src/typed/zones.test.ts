import { Ambiguous } from '@guild-settings/contract/settings';
import { expect, test } from 'vitest';
import { timeZoneIn } from './zones.ts';

function read(typed: string): unknown {
  const zone = timeZoneIn(typed);
  return zone instanceof Ambiguous ? zone.meanings : zone;
}

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  [' AMERICA/NEW YORK ', 'America/New_York'],
  ['asia/ho chi minh', 'Asia/Ho_Chi_Minh'],
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['us/eastern', 'US/Eastern'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['Japan', 'Japan'],
])('%j is the name %j', (typed, zone) => expect(read(typed)).toBe(zone));

test.each([
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['Sao Paulo', 'America/Sao_Paulo'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['port-au-prince', 'America/Port-au-Prince'],
  ['Kolkata', 'Asia/Kolkata'],
  ['Calcutta', 'Asia/Calcutta'],
  ['Kyiv', 'Europe/Kyiv'],
  ['Louisville', 'America/Kentucky/Louisville'],
  ['Buenos Aires', 'America/Argentina/Buenos_Aires'],
  ['Москва', 'Europe/Moscow'],
  ['東京', 'Asia/Tokyo'],
  ['दिल्ली', 'Asia/Kolkata'],
  ['Nueva York', 'America/New_York'],
  ['Владивосток', 'Asia/Vladivostok'],
  ['Atlantis', undefined],
])('the city %j is in %j', (typed, zone) => expect(read(typed)).toBe(zone));

test('a place of two zones is one of both', () =>
  expect(read('Eastern')).toStrictEqual(['Canada/Eastern', 'US/Eastern']));

test.each([
  ['Petersburg', ['America/Indiana/Petersburg', 'Europe/Moscow']],
  ['San Juan', ['America/Argentina/San_Juan', 'America/Puerto_Rico']],
  ['Córdoba', ['America/Argentina/Cordoba', 'Europe/Madrid']],
])('the name %j of several cities is one of them', (typed, zones) => expect(read(typed)).toStrictEqual(zones));

test.each(['South', 'North', 'General', 'ACT'])('%s is not the city of a zone', (typed) =>
  expect(read(typed)).toBeUndefined(),
);

test.each([
  ['UTC', 'UTC'],
  ['z', 'UTC'],
  ['UTC+0', 'UTC'],
  ['UTC+3', 'Etc/GMT-3'],
  ['GMT+2', 'Etc/GMT-2'],
  ['utc −5', 'Etc/GMT+5'],
  ['+0300', 'Etc/GMT-3'],
  ['+0545', 'Asia/Kathmandu'],
  ['GMT+5:30', ['Asia/Kolkata', 'Asia/Colombo']],
  ['+15', undefined],
  ['-13', undefined],
  // Newfoundland has it in winter.
  ['-03:30', undefined],
  ['+3:75', undefined],
  ['+5:31', undefined],
  ['+99:30', undefined],
  ['3', undefined],
])('the offset %j all year is that of %j', (typed, zone) => expect(read(typed)).toStrictEqual(zone));

test.each([
  ['EST', ['America/New_York', 'America/Toronto', 'America/Detroit', 'America/Panama', 'America/Jamaica']],
  ['ist', ['Asia/Kolkata', 'Asia/Jerusalem', 'Europe/Dublin']],
  ['CST', ['Asia/Shanghai', 'America/Chicago', 'America/Mexico_City', 'Asia/Taipei', 'America/Guatemala']],
  ['BST', ['Asia/Dhaka', 'Europe/London', 'Pacific/Bougainville']],
  ['PST', ['Asia/Manila', 'America/Los_Angeles', 'America/Vancouver', 'America/Tijuana']],
  ['MSK', ['Europe/Moscow', 'Europe/Simferopol']],
  ['МСК', ['Europe/Moscow', 'Europe/Simferopol']],
  ['JST', ['Asia/Tokyo']],
  ['XYZ', undefined],
])('the abbreviation %s is refused with %j', (typed, zones) => expect(read(typed)).toStrictEqual(zones));

test('every candidate is the name of one zone, and no abbreviation has more than five', () => {
  for (const short of 'ET CT MT PT AKST HST AST NST BRT WET CET EET EEST MSK GST PKT ICT WIB SGT AEST NZST SAST EAT CAT WAT'.split(
    ' ',
  )) {
    const zones = read(short) as string[];
    expect(zones.length, short).toBeLessThanOrEqual(5);
    expect(zones.map(read), short).toStrictEqual(zones);
  }
});

test.each([
  ['Japan Standard Time', 'Asia/Tokyo'],
  ['Germany Time', 'Europe/Berlin'],
  ['日本標準時', 'Asia/Tokyo'],
  ['ドイツ時間', 'Europe/Berlin'],
  ['Япония, стандартное время', 'Asia/Tokyo'],
  ['hora de Japón', 'Asia/Tokyo'],
  ['जापान मानक समय', 'Asia/Tokyo'],
  ['Eastern Time', ['America/New_York', 'America/Toronto', 'America/Detroit']],
  ['hora de verano de Europa central', ['Europe/Berlin', 'Europe/Paris', 'Europe/Rome']],
  // A region also has zones with summer time.
  ['Central European Standard Time', ['Europe/Berlin', 'Europe/Paris', 'Europe/Rome']],
  ['中央ヨーロッパ標準時', ['Europe/Berlin', 'Europe/Paris', 'Europe/Rome']],
  ['Australian Central Standard Time', ['Australia/Adelaide', 'Australia/Darwin', 'Australia/Broken_Hill']],
  ['Центральная Европа', ['Europe/Berlin', 'Europe/Paris', 'Europe/Rome']],
  ['यूस्ट–नेरा समय', 'Asia/Ust-Nera'],
  ['Tea Time', undefined],
])('%j, as Intl names it, is %j', (typed, zones) => {
  const found = read(typed);
  expect(Array.isArray(found) ? found.slice(0, 3) : found).toStrictEqual(zones);
});
