import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import type { Invocation } from '../framework/invocation.ts';
import { type Language, translatorOf } from '../i18n/translator.ts';

/** Returns an invocation of a member in a guild of a language. */
export function invocationIn(language: Language): Invocation {
  return {
    trigger: { kind: 'message' },
    id: '1400000000000000001',
    guildId: '1234567890123456789',
    channelId: '1300000000000000001',
    userId: '1200000000000000002',
    mayWrite: true,
    permissions: 0n,
    settings: { ...DEFAULT_SETTINGS, language },
    translator: translatorOf({ language }),
    prefix: '!',
  };
}
