import type { Flaw } from '../flaw.ts';
import type {
  Cell,
  ColumnDeclaration,
  Item,
  KindName,
  SettingDeclaration,
  SettingValue,
} from '../setting-declaration.ts';

/** Options that only the specified settings have. */
export interface ReservedOptions {
  /** Maximum length of a channel's text, which need not be an id. */
  readonly anyText?: number;
  readonly noLeadingSpace?: true;
  /** Refuses invisible characters. */
  readonly noInvisible?: true;
  /** Unknown choices are kept, up to this length. */
  readonly open?: number;
  readonly examples?: readonly SettingValue[];
}

/** A declaration of a kind, with the options that are reserved to the specified settings. */
export type Options<Name extends SettingDeclaration['kind']> = Extract<
  SettingDeclaration | ColumnDeclaration,
  { readonly kind: Name }
> &
  ReservedOptions;

/** Things of a guild that can be mentioned. */
export type Mentioned = 'channel' | 'role' | 'user' | 'emoji';

/** The texts that people type for values in a language: words, mentions, and localized numbers. */
export interface TypedWords {
  /** Returns the meaning of a word in the person's language or in English; undefined: neither. */
  wordOf(typed: string): 'none' | 'on' | 'off' | undefined;
  /** Returns the id from a mention of a thing, its id or its name; the text of an emoji; undefined: none of these. */
  idOf(typed: string, mentioned: Mentioned): string | Ambiguous | undefined;
  /** Returns the names that people use for a choice. */
  namesOf(choice: string): readonly string[];
  /** Returns a number; undefined: not a number. @param decimals maximum decimal places */
  numberIn(typed: string, decimals: number): number | Ambiguous | undefined;
  /** Returns seconds; undefined: not a duration. */
  secondsIn(typed: string): number | Ambiguous | undefined;
  /** Returns a value of a kind that people express in words, such as a time of day; undefined: not such a value. */
  valueIn(kind: KindName, typed: string): string | Ambiguous | undefined;
}

/** A typed text with several meanings, or without a certain one. */
export class Ambiguous {
  /** Texts for the possible meanings, each of which is unambiguous. */
  readonly meanings: readonly string[];

  constructor(meanings: readonly string[]) {
    this.meanings = meanings;
  }
}

export type Keywords = Readonly<Record<string, unknown>>;

/** Everything specific to one kind of setting. Lists are in `setting.ts`, for all kinds. */
export interface Kind<KindOptions = never> {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'row';
  /** The control with which a person sets the value, on a page and in a modal. */
  readonly control: Exclude<KindName, 'integer'>;
  /** The value of a setting without a default; undefined: the kind has none. */
  readonly empty: Cell | undefined;
  /** Returns the value of a new row in a column of the kind without a default; absent: `empty`. */
  readonly initial?: (options: KindOptions) => Cell;
  /** Returns all flaws of an item that has the right type. */
  flaws(item: Item, options: KindOptions): readonly Flaw[];
  /** Returns the flaws of a list whose items are valid; absent: none. */
  readonly listFlaws?: (items: readonly Item[], options: KindOptions) => readonly Flaw[];
  /** Returns the stored form of a single value; absent: unchanged. */
  readonly stored?: (item: Item, options: KindOptions) => Item;
  /** Returns the value by which items are compared; absent: the item itself. */
  readonly identity?: (item: Item) => Item;
  /** Returns true if an item refers to a thing of one guild, which other guilds do not have; absent: never. */
  readonly isOfGuild?: (item: Item) => boolean;
  /** True: a typed item may contain spaces: `9 pm`, `dark blue`. */
  readonly hasSpaces?: boolean;
  /** An example of what people can type; absent: none is shown. */
  readonly example?: string;
  /** Parses typed text as an item, which may have flaws; undefined: not an item. */
  parse(typed: string, options: KindOptions, words: TypedWords): Item | Ambiguous | undefined;
  /**
   * Converts a value in the format of a program to an item, to the text of one, or returns it as it is; absent: no such
   * formats.
   */
  readonly fromData?: (value: unknown) => unknown;
  /** Returns the limits of an item for a request schema. */
  keywords(options: KindOptions): Keywords;
  /** Returns the bytes of the longest item as JSON. */
  maxBytes(options: KindOptions): number;
}

export function kind<Name extends SettingDeclaration['kind']>(declared: Kind<Options<Name>>): Kind<Options<Name>> {
  return declared;
}

/**
 * Normalizes a word for comparison: ignores case, width, accents, nuktas, and the spelling of nasals in Hindi (हिंदी,
 * हिन्दी).
 */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u093c]|(?<=\u094d)[\u200c\u200d]/gu, '')
    .replaceAll(/\u0901|[ङञणनम]\u094d(?=[क-ह])/gu, '\u0902')
    .toLowerCase();
}

/**
 * Returns the elements named by a text: exactly, in any Unicode form, or otherwise ignoring case, width and accents.
 */
export function named<T>(typed: string, all: readonly T[], namesOf: (one: T) => readonly string[]): readonly T[] {
  const having = (form: (text: string) => string) => {
    const wanted = form(typed.trim());
    return all.filter((one) => namesOf(one).some((name) => form(name.trim()) === wanted));
  };
  const exact = having((text) => text.normalize());
  return exact.length > 0 ? exact : having(folded);
}

/**
 * Returns typed text with ASCII digits, letters and signs: `－５` of a Japanese keyboard becomes `-5`, and so do `−5`,
 * `–5` of a phone, and `-५`. Superscript digits are not converted: `5²` is not 52.
 */
export function plainDigits(typed: string): string {
  return typed
    .replaceAll(/[²³¹⁰-₉]/g, '^$&')
    .normalize('NFKC')
    .replaceAll(/[\u200e\u200f\u061c]/g, '')
    .replaceAll(/[\u2010-\u2013\u2212]/g, '-')
    .replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)))
    .trim();
}

/** Returns the value of a decimal digit. In Unicode the digits of a script are consecutive, from zero to nine. */
function digitOf(codePoint: number): number {
  let zero = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}
