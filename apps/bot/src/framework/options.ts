import type { Language } from '../i18n/translator.ts';

interface TextOption<Required extends boolean = boolean> {
  readonly kind: 'text';
  readonly required: Required;
  /** In code points. */
  readonly maxLength: number;
  /** Words of a message that it takes: one or a quoted phrase, those that `fits` accepts, all others, or `--name=value`. */
  readonly takes: 'word' | 'phrase' | 'rest' | 'named';
  /** Whether white space alone is a value. */
  readonly mayBeBlank?: boolean;
  /** Whether words belong to the phrase. */
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

/** An option of an action. */
export type Option = TextOption | ChoiceOption | NumberOption;

/** Options by name, in the order in which they are typed: required ones first. */
export type OptionSet = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> =
  O extends ChoiceOption<boolean, infer Choice> ? Choice : O extends NumberOption ? number : string;

/** Values of options; `undefined` for an omitted one. */
export type OptionValues<Options extends OptionSet> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly required: true }
    ? ValueOf<Options[Name]>
    : ValueOf<Options[Name]> | undefined;
};

/** Values of options before they are checked. */
export type RawOptions = Readonly<Record<string, string | number | undefined>>;

/** Declares an option of one word, or several in quotes. */
export function word<Required extends boolean>(required: Required, maxLength: number): TextOption<Required> {
  return { kind: 'text', required, maxLength, takes: 'word' };
}

/** Declares an option of as many words as `fits` accepts. */
export function phrase(maxLength: number, fits: (words: string, language: Language) => boolean): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'phrase', fits };
}

/** Declares an option of all remaining words. */
export function rest(maxLength: number, { mayBeBlank = false } = {}): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'rest', mayBeBlank };
}

/** Declares an option that is typed as `--name=value`, anywhere. */
export function named(maxLength: number): TextOption<false> {
  return { kind: 'text', required: false, maxLength, takes: 'named' };
}

/** Declares an option of one of some words. */
export function choice<Required extends boolean, const Choice extends string>(
  required: Required,
  choices: readonly Choice[],
): ChoiceOption<Required, Choice> {
  return { kind: 'choice', required, choices };
}

/** Declares an option of a whole number. */
export function wholeNumber<Required extends boolean>(required: Required): NumberOption<Required> {
  return { kind: 'number', required };
}
