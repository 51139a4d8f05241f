import type { Translated } from '@guild-settings/i18n';
import type { enUS } from './locales/en-us.ts';

/** All texts of a language that only the bot has. */
export type Locale = Translated<typeof enUS>;
