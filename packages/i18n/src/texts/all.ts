import type { Language } from '@guild-settings/contract/constants';
import type { Translated } from '../translated.ts';
import { texts as enUS } from './en-us.ts';
import { texts as esES } from './es-es.ts';
import { texts as hi } from './hi.ts';
import { texts as ja } from './ja.ts';
import { texts as ru } from './ru.ts';

/** The shared texts of all languages, for a program that loads them all. */
export const SHARED_TEXTS: Readonly<Record<Language, Translated<typeof enUS>>> = {
  'en-US': enUS,
  hi,
  ru,
  ja,
  'es-ES': esES,
};
