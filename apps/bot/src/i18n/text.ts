import { SHARED_TEXTS } from '@guild-settings/i18n/texts/all';
import { type Language, LOCALES } from './translator.ts';

/** Returns the word of a language for a setting or a value; one without a translation is returned as it is. */
export function wordFor(language: Language, value: string): string {
  const { on, off, none } = SHARED_TEXTS[language].value;
  const words = { ...LOCALES[language].words, on, off, none };
  return Object.hasOwn(words, value) ? words[value as keyof typeof words] : value;
}

/** Formats text as inline code of Discord's Markdown, whatever characters are in it. */
export function code(text: string): string {
  return `\`${text.replaceAll('`', 'ˋ')}\``;
}

/** Rejects a command. The message is the reply to the user, in the guild's language. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
