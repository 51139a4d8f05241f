import { LANGUAGES } from '@guild-settings/contract/constants';
import type { texts } from './texts/en-us.ts';

type TextKeys<Texts> = {
  readonly [Key in keyof Texts & string]: Texts[Key] extends string
    ? Key extends `${infer Base}_${'one' | 'other'}`
      ? Base
      : Key
    : `${Key}.${TextKeys<Texts[Key]>}`;
}[keyof Texts & string];

/** Returns a shared text by its key, with values filled in: i18next's `t` of the namespace `SHARED`. */
export type SharedText = (
  ...call: [key: TextKeys<typeof texts>] | [key: TextKeys<typeof texts>, values: Readonly<Record<string, unknown>>]
) => string;

/** What texts about settings and changes depend on. */
export interface Words {
  readonly shared: SharedText;
  /** The language of the reader: a BCP 47 tag. */
  readonly language: string;
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

/**
 * Returns the name of a language in the language of the reader, or the tag itself where it has no name. The languages of the service
 * are named without their regions, because each is there once: "English".
 */
export function languageName(tag: string, language: string): string {
  try {
    const isKnown = LANGUAGES.some((known) => known === tag);
    const named = isKnown ? new Intl.Locale(tag).language : tag;
    return new Intl.DisplayNames(language, { type: 'language' }).of(named) ?? tag;
  } catch {
    return tag;
  }
}

/** Joins items for readers, without an "and". */
export function commaList(items: readonly string[], language: string): string {
  return items.join(language === 'ja' ? '、' : ', ');
}
