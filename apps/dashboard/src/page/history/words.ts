import type { TFunction } from 'i18next';
import type { texts } from '../i18n/locales/history/en-us.ts';

/** Texts of the history in English. */
export type HistoryTexts = typeof texts;

/** What texts about changes depend on. */
export interface Words {
  /** Translates into that language. */
  readonly t: TFunction<'history'>;
  /** The language of the reader: a BCP 47 tag. */
  readonly language: string;
  /** Returns the name of a channel; undefined: not known. */
  readonly channelName?: (id: string) => string | undefined;
}

/** Code points of a value in a sentence. */
const MAX_VALUE = 40;

/** Cuts a text to a number of code points, with an ellipsis as the last. */
export function shorten(text: string, maxCodePoints = MAX_VALUE): string {
  // No text has more code points than characters.
  if (text.length <= maxCodePoints) return text;
  const characters = [...text];
  return characters.length <= maxCodePoints ? text : `${characters.slice(0, maxCodePoints - 1).join('')}…`;
}

/** Returns the name of a language in the language of the reader, or the tag itself where it has no name. */
export function languageName(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
