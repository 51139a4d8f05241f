import type { Language } from '../i18n/translator.ts';

interface TextOption<Required extends boolean = boolean> {
  readonly kind: 'text';
  readonly required: Required;
  /** Code points. */
  readonly maxLength: number;
  /**
   * What it is in a message: one word or quoted phrase, the words that fit together, all that is left, or `--name=value`
   * anywhere.
   */
  readonly takes: 'word' | 'phrase' | 'rest' | 'named';
  /** Whether nothing but white space is a value, too. */
  readonly mayBeBlank?: boolean;
  /** Of a phrase: whether these words belong together. */
  readonly fits?: (words: string, language: Language) => boolean;
}

interface ChoiceOption<Required extends boolean = boolean, Choice extends string = string> {
  readonly kind: 'choice';
  readonly required: Required;
  readonly choices: readonly Choice[];
}

interface NumberOption<Required extends boolean = boolean> {
  readonly kind: 'number';
  readonly required: Required;
}

/** What an action can be told. */
export type Option = TextOption | ChoiceOption | NumberOption;

/** An action's options by name, in the order in which they are typed. Required ones come first. */
export type OptionSet = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> =
  O extends ChoiceOption<boolean, infer Choice> ? Choice : O extends NumberOption ? number : string;

/** What the options were given: undefined for what was left out. */
export type OptionValues<Options extends OptionSet> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly required: true }
    ? ValueOf<Options[Name]>
    : ValueOf<Options[Name]> | undefined;
};

/** Options as they came in, unchecked. */
export type RawOptions = Readonly<Record<string, string | number | undefined>>;

/** One word, or several in quotes. */
export function word<Required extends boolean>(required: Required, maxLength: number): TextOption<Required> {
  return { kind: 'text', required, maxLength, takes: 'word' };
}

/** As many words as fit together. */
export function phrase(maxLength: number, fits: (words: string, language: Language) => boolean): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'phrase', fits };
}

/** All that is left. */
export function rest(maxLength: number, { mayBeBlank = false } = {}): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'rest', mayBeBlank };
}

/** `--name=value`, anywhere. */
export function named(maxLength: number): TextOption<false> {
  return { kind: 'text', required: false, maxLength, takes: 'named' };
}

/** One of some words. */
export function choice<Required extends boolean, const Choice extends string>(
  required: Required,
  choices: readonly Choice[],
): ChoiceOption<Required, Choice> {
  return { kind: 'choice', required, choices };
}

/** A whole number. */
export function wholeNumber(): NumberOption<true> {
  return { kind: 'number', required: true };
}
