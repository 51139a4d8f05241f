import type { GuildSettings } from '@guild-settings/contract';
import type { Language } from '@guild-settings/contract/constants';
import enUS from './locales/en-US/settings.json';
import esES from './locales/es-ES/settings.json';
import hi from './locales/hi/settings.json';
import ja from './locales/ja/settings.json';
import ru from './locales/ru/settings.json';

/** Each specified setting has a description in each language: docs/add-a-setting.md */
export const HELP_TEXTS = {
  'en-US': enUS.help,
  hi: hi.help,
  ru: ru.help,
  ja: ja.help,
  'es-ES': esES.help,
} satisfies Readonly<Record<Language, Readonly<Record<keyof GuildSettings, string>>>>;
