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
  /** Text of a channel that need not be an id, with a length of its own. */
  readonly anyText?: number;
  readonly noLeadingSpace?: true;
  /** Refuses characters that are not shown. */
  readonly noInvisible?: true;
  /** Names that are no choice are kept, up to this length. */
  readonly open?: number;
  readonly examples?: readonly SettingValue[];
}

/** A declaration of a kind, with the options that are reserved to the specified settings. */
export type Options<Name extends SettingDeclaration['kind']> = Extract<
  SettingDeclaration | ColumnDeclaration,
  { readonly kind: Name }
> &
  ReservedOptions;

/** Things of a guild that people mention. */
export type Mentioned = 'channel' | 'role' | 'user' | 'emoji';

/** The texts that people type in a language for values: words, mentions, and numbers as the language writes them. */
export interface TypedWords {
  /** Returns which word a text is, in the language of the person or in English; undefined: neither. */
  wordOf(typed: string): 'none' | 'on' | 'off' | undefined;
  /** Returns the id in a mention of a thing, its id or its name; the text of an emoji; undefined: none of them. */
  idOf(typed: string, mentioned: Mentioned): string | Ambiguous | undefined;
  /** Returns what people call a choice. */
  namesOf(choice: string): readonly string[];
  /** Returns a number; undefined: the text is none. @param decimals the most decimal places */
  numberIn(typed: string, decimals: number): number | Ambiguous | undefined;
  /** Returns seconds; undefined: the text is no duration. */
  secondsIn(typed: string): number | Ambiguous | undefined;
  /** Returns the value of a kind that people have words for, such as a time of day; undefined: the text is none. */
  valueIn(kind: KindName, typed: string): string | Ambiguous | undefined;
}

/** A typed text that can be read in several ways, or in none without a doubt. */
export class Ambiguous {
  /** Texts for what may be meant, each of which is read in one way. */
  readonly meanings: readonly string[];

  constructor(meanings: readonly string[]) {
    this.meanings = meanings;
  }
}

export type Keywords = Readonly<Record<string, unknown>>;

/** All that is particular to one kind of setting. Lists are in `setting.ts`, for all kinds. */
export interface Kind<KindOptions = never> {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'row';
  /** The control by which a person sets the value, on a page and in a modal. */
  readonly control: Exclude<KindName, 'integer'>;
  /** The value of a setting without a default of its own; undefined: the kind has none. */
  readonly empty: Cell | undefined;
  /** Returns the value of a new row in a column of the kind without a default; absent: `empty`. */
  readonly initial?: (options: KindOptions) => Cell;
  /** Returns all that is not valid in an item, which has the type. */
  flaws(item: Item, options: KindOptions): readonly Flaw[];
  /** Returns what is not valid in a list whose items are valid; absent: nothing. */
  readonly listFlaws?: (items: readonly Item[], options: KindOptions) => readonly Flaw[];
  /** Returns a single value as it is stored; absent: as it is. */
  readonly stored?: (item: Item, options: KindOptions) => Item;
  /** Returns what decides whether two items are the same; absent: the item itself. */
  readonly identity?: (item: Item) => Item;
  /** Returns whether an item names something of one guild, which other guilds do not have; absent: none does. */
  readonly isOfGuild?: (item: Item) => boolean;
  /** True: an item that is typed may have spaces in it: `9 pm`, `dark blue`. */
  readonly hasSpaces?: boolean;
  /** A value that shows people what they can type; absent: none is shown. */
  readonly example?: string;
  /** Returns what a person typed as an item, which may have flaws; undefined: it is none. */
  parse(typed: string, options: KindOptions, words: TypedWords): Item | Ambiguous | undefined;
  /** Returns what a program keeps in a shape of its own as an item, as the text of one, or as it is; absent: there are no such shapes. */
  readonly fromData?: (value: unknown) => unknown;
  /** Returns the limits of an item for a request schema. */
  keywords(options: KindOptions): Keywords;
  /** Returns the bytes of the longest item as JSON. */
  maxBytes(options: KindOptions): number;
}

export function kind<Name extends SettingDeclaration['kind']>(declared: Kind<Options<Name>>): Kind<Options<Name>> {
  return declared;
}

/** Normalizes a word for comparison: without regard to case, width, accents, nuktas, and how Hindi writes nasals (हिंदी, हिन्दी). */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u093c]|(?<=\u094d)[\u200c\u200d]/gu, '')
    .replaceAll(/\u0901|[ङञणनम]\u094d(?=[क-ह])/gu, '\u0902')
    .toLowerCase();
}

/** Returns those that a text names: exactly, in any Unicode form, or else in another case or width, or with other accents. */
export function named<T>(typed: string, all: readonly T[], namesOf: (one: T) => readonly string[]): readonly T[] {
  const having = (form: (text: string) => string) => {
    const wanted = form(typed.trim());
    return all.filter((one) => namesOf(one).some((name) => form(name.trim()) === wanted));
  };
  const exact = having((text) => text.normalize());
  return exact.length > 0 ? exact : having(folded);
}

/**
 * Returns what was typed with the digits, letters and signs of ASCII: `－５` of a Japanese keyboard is `-5`, and so are `−5`, `–5` of a
 * phone, and `-५`. A raised digit is none: `5²` is not 52.
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

/** Returns the value of a decimal digit. Unicode has those of a script in a row, from zero to nine. */
function digitOf(codePoint: number): number {
  let zero = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}
