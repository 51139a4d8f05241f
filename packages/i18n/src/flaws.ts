import type { GuildSettings } from '@guild-settings/contract';
import { LIMITS } from '@guild-settings/contract/constants';

type Field = keyof GuildSettings;

/** What is wrong with a value, as the key of a text, and the number in it. */
export interface Flaw {
  readonly key: 'tooLong' | 'leadingSpace' | 'unprintable' | 'tooMany';
  readonly count: number;
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Returns the length of a text as the service counts it: in code points, so that an emoji is one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Returns what the service would refuse in some settings, for each field. It has the last word: this only saves the way there. */
export function flawsOf(settings: Partial<GuildSettings>): Partial<Record<Field, Flaw>> {
  const { prefix = '', announcement_channel: channel = '', enabledFeatures = [] } = settings;
  return {
    ...flawOf('prefix', textFlaw(prefix, LIMITS.prefix) ?? spaceFlaw(prefix)),
    ...flawOf('announcement_channel', textFlaw(channel, LIMITS.announcementChannel)),
    ...flawOf(
      'enabledFeatures',
      enabledFeatures.length > LIMITS.features ? { key: 'tooMany', count: LIMITS.features } : undefined,
    ),
  };
}

/** Returns what the service would refuse in the reason of a change. */
export function reasonFlaw(reason: string): Flaw | undefined {
  return textFlaw(reason, LIMITS.reason);
}

function flawOf(field: Field, flaw: Flaw | undefined): Partial<Record<Field, Flaw>> {
  return flaw === undefined ? {} : { [field]: flaw };
}

function textFlaw(text: string, max: number): Flaw | undefined {
  if (lengthOf(text) > max) return { key: 'tooLong', count: max };
  return UNPRINTABLE.test(text) ? { key: 'unprintable', count: 0 } : undefined;
}

function spaceFlaw(text: string): Flaw | undefined {
  return /^\s/u.test(text) ? { key: 'leadingSpace', count: 0 } : undefined;
}
