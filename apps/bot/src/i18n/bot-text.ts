import type { Language } from '@guild-settings/contract';
import { type Translator, Vocabulary } from '@guild-settings/discord/framework';
import type { TextIn, Translated } from '@guild-settings/i18n';
import enUS from './locales/en-US/bot.json' with { type: 'json' };
import esES from './locales/es-ES/bot.json' with { type: 'json' };
import hi from './locales/hi/bot.json' with { type: 'json' };
import ja from './locales/ja/bot.json' with { type: 'json' };
import ru from './locales/ru/bot.json' with { type: 'json' };

/** The texts of this bot's commands, besides those of the settings. */
export const BOT_TEXTS: Readonly<Record<Language, Translated<typeof enUS>>> = {
  'en-US': enUS,
  hi,
  ru,
  ja,
  'es-ES': esES,
};

export const VOCABULARY = new Vocabulary(BOT_TEXTS);

/** Returns the translations of the vocabulary, typed with the texts of this bot. */
export function botText({ t }: Pick<Translator, 't'>): Translator['t'] & TextIn<typeof enUS> {
  return t as Translator['t'] & TextIn<typeof enUS>;
}
