import { SHARED_TEXTS } from '@guild-settings/i18n/texts';
import { type Language, LOCALES, type Translator } from './translator.ts';

/** Precedes what only the application sets. */
export const LOCK = '🔒 ';

/** Returns the word of a language for a setting or a value; one without a translation is returned as it is. */
export function wordFor(language: Language, value: string): string {
  const { on, off, none } = SHARED_TEXTS[language].value;
  const words = { ...LOCALES[language].words, on, off, none };
  return Object.hasOwn(words, value) ? words[value as keyof typeof words] : value;
}

/**
 * Formats text as inline code of Discord's Markdown, whatever characters are in it. Text with a backtick stands between two of them, so
 * that it can be copied. Two backticks in a row, which begin a code block with the next one, are shown as similar characters.
 */
export function code(text: string): string {
  const shown = ordered(text);
  if (!shown.includes('`')) return `\`${shown}\``;
  if (shown.includes('``')) return `\`${shown.replaceAll('`', 'ˋ')}\``;
  // The spaces keep a backtick at either end apart from those around it. Discord does not show them.
  const before = shown.startsWith('`') ? ' ' : '';
  const after = shown.endsWith('`') ? ' ' : '';
  return `\`\`${before}${shown}${after}\`\``;
}

/** Formats text so that Discord shows it as it is: without formatting, mentions and links. */
export function literal(text: string): string {
  return ordered(text).replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Names the characters of a text that would reorder what stands around them. */
export function ordered(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase()}`;
  });
}

/** Rejects a command. The message is the reply to the user, in the guild's language. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Returns the lines that offer what a person may have meant; none where nothing is similar. */
export function didYouMean(suggestion: string | undefined, { t }: Pick<Translator, 't'>): string[] {
  return suggestion === undefined ? [] : [t('errors.didYouMean', { suggestion: code(suggestion) })];
}
