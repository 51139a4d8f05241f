import { timeZoneLabel, timeZonesLike } from '@guild-settings/i18n';
import type { Translator } from '../i18n/translator.ts';

/** Discord's limit for suggestions. */
const MAX_ZONES = 25;

/** Separates the parts of a suggested zone. Zone names do not contain it. */
const SEPARATOR = ' · ';

/** Suggests time zones for typed text, with their localized names and current times. */
export function suggestZones(typed: string, { language }: Translator, now: number) {
  return timeZonesLike(zoneOf(typed), MAX_ZONES).map((zone) => {
    const there = clockOf(zone).format(now);
    const label = timeZoneLabel(zone, language);
    const parts = [zone, ...(label === undefined ? [] : [label]), there];
    return { name: parts.join(SEPARATOR), value: zone };
  });
}

/** Clocks by zone, of which there are some four hundred. Creating one takes longer than the rest of a suggestion. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const clock = CLOCKS.get(zone) ?? new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone });
  CLOCKS.set(zone, clock);
  return clock;
}

/** Returns the zone in the text of a suggestion; another text unchanged. */
export function zoneOf(typed: string): string {
  return typed.split(SEPARATOR)[0] ?? typed;
}
