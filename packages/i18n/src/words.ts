import { LANGUAGES } from '@guild-settings/contract/constants';
import type { DeclaredSettings } from '@guild-settings/contract/settings';
import type enUS from './locales/en-US/shared.json';

type TextKeys<Texts> = {
  readonly [Key in Exclude<keyof Texts & string, '_comment'>]: Texts[Key] extends string
    ? Key extends `${infer Base}_${'one' | 'other'}`
      ? Base
      : Key
    : `${Key}.${TextKeys<Texts[Key]>}`;
}[Exclude<keyof Texts & string, '_comment'>];

type SharedKey = TextKeys<typeof enUS>;

/** Returns a text by its key, with values filled in: i18next's `t`, for the keys of a file of texts. */
export type TextIn<Texts> = (
  ...call: [key: TextKeys<Texts>] | [key: TextKeys<Texts>, values: Readonly<Record<string, unknown>>]
) => string;

/** The shared texts in English. */
export type SharedTexts = typeof enUS;

/** Returns a shared text by its key. */
export type SharedText = TextIn<SharedTexts>;

/** The language, the texts and the settings that texts about changes depend on. */
export interface Words {
  readonly shared: SharedText;
  readonly language: string;
  /** The settings of the deployment; the specified ones unless given. */
  readonly settings?: DeclaredSettings;
}

/** Returns the first existing text: a field's specific one takes precedence over the general one. */
export function ownText(
  { shared }: Pick<Words, 'shared'>,
  own: readonly string[],
  general: SharedKey,
  values: Readonly<Record<string, unknown>>,
): string {
  // i18next accepts several keys. A field need not have specific texts, so the keys cannot be typed.
  return shared([...own, general] as unknown as SharedKey, values);
}

/** Maximum code points of a value in a sentence. */
const MAX_VALUE = 40;

/** Cuts a text to a number of code points, with a final ellipsis. */
export function shorten(text: string, maxCodePoints = MAX_VALUE): string {
  // The number of code points never exceeds the number of characters.
  if (text.length <= maxCodePoints) return text;
  const characters = [...text];
  return characters.length <= maxCodePoints ? text : `${characters.slice(0, maxCodePoints - 1).join('')}…`;
}

/**
 * Returns the name of a language in the reader's language, or the tag if it has no name. The languages of the service
 * are named without their regions, because each occurs once: "English".
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

export const DURATION_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a duration in its units: "1 hr 30 min". */
export function durationText(seconds: number, language: string): string {
  let rest = seconds;
  const parts = DURATION_UNITS.flatMap(([unit, size]) => {
    const count = Math.trunc(rest / size);
    rest %= size;
    const isShown = count !== 0 || (unit === 'second' && seconds === 0);
    return isShown ? [new Intl.NumberFormat(language, { style: 'unit', unit }).format(count)] : [];
  });
  return new Intl.ListFormat(language, { type: 'unit', style: 'narrow' }).format(parts);
}

/**
 * Replaces `{{name}}` in a text by the pieces of that name, such as elements of a page.
 * @param pieceOf returns the piece of a text between them
 */
export function fill<Piece>(
  template: string,
  slotOf: (name: string) => readonly Piece[],
  pieceOf: (text: string) => Piece,
): Piece[] {
  return template
    .split(/\{\{(\w+)\}\}/)
    .flatMap((piece, index) => (index % 2 === 1 ? slotOf(piece) : piece === '' ? [] : [pieceOf(piece)]));
}

/** Joins items for readers, without an "and". */
export function commaList(items: readonly string[], language: string): string {
  return items.join(commaOf(language));
}

export function commaOf(language: string): string {
  return /^(?:ja|zh)\b/.test(language) ? '、' : ', ';
}

/** Joins parts of a sentence that have commas in them. */
export function clauses(texts: readonly string[], { shared }: Pick<Words, 'shared'>): string {
  return texts.reduce((first, next) => shared('clauses', { first, next }));
}

/** Joins sentences with a space, which the full stop of Chinese and Japanese has in itself. What is not there is left out. */
export function sentences(...texts: readonly (string | false | undefined)[]): string {
  return texts
    .filter((text) => typeof text === 'string')
    .reduce((first, next) => `${first}${/^$|[。！？]$/.test(first) ? '' : ' '}${next}`, '');
}

interface LiveChange {
  readonly latencyMs?: number | undefined;
  readonly processes?: number | undefined;
  readonly away?: number | undefined;
}

/** Returns where a change is live; undefined: in every process, after an unknown time. */
export function liveText(
  { latencyMs, processes, away = 0 }: LiveChange,
  { shared }: Pick<Words, 'shared'>,
): string | undefined {
  if (processes !== undefined && away > 0) {
    return shared('liveIn', { count: processes, others: shared('notConnected', { count: away }) });
  }
  return latencyMs === undefined ? undefined : shared('live', { ms: latencyMs });
}
