import type { Language } from '@guild-settings/contract/constants';
import enUS from './locales/en-US/shared.json' with { type: 'json' };
import esES from './locales/es-ES/shared.json' with { type: 'json' };
import hi from './locales/hi/shared.json' with { type: 'json' };
import ja from './locales/ja/shared.json' with { type: 'json' };
import ru from './locales/ru/shared.json' with { type: 'json' };
import type { Translated } from './translated.ts';

/** The shared texts of all languages, for a program that loads them all. */
export const SHARED_TEXTS: Readonly<Record<Language, Translated<typeof enUS>>> = {
  'en-US': enUS,
  hi,
  ru,
  ja,
  'es-ES': esES,
};
