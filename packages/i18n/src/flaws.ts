import type { GuildSettings } from '@guild-settings/contract';
import { invisibleIn, LIMITS } from '@guild-settings/contract/constants';

type Field = keyof GuildSettings;

/** Why a value is not valid: the key of the text that explains it, and the number and the code point in that text. */
export interface Flaw {
  readonly key: 'tooLong' | 'leadingSpace' | 'unprintable' | 'invisible' | 'tooMany';
  readonly count: number;
  readonly codePoint?: string;
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Returns the length of a text as the service counts it: in code points, so that an emoji is one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** Returns why the service would refuse some settings, for each field. The service validates them as well: this saves a request. */
export function flawsOf(settings: Partial<GuildSettings>): Partial<Record<Field, Flaw>> {
  const { prefix = '', announcement_channel: channel = '', enabledFeatures = [] } = settings;
  return {
    ...flawOf('prefix', textFlaw(prefix, LIMITS.prefix) ?? spaceFlaw(prefix) ?? invisibleFlaw(prefix)),
    ...flawOf('announcement_channel', textFlaw(channel, LIMITS.announcementChannel)),
    ...flawOf(
      'enabledFeatures',
      enabledFeatures.length > LIMITS.features
        ? { key: 'tooMany', count: LIMITS.features }
        : enabledFeatures.map(invisibleFlaw).find((flaw) => flaw !== undefined),
    ),
  };
}

/** Returns why the service would refuse the reason of a change. */
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

function invisibleFlaw(text: string): Flaw | undefined {
  const codePoint = invisibleIn(text);
  return codePoint === undefined ? undefined : { key: 'invisible', count: 0, codePoint };
}
