import type { Setting } from '@guild-settings/contract/settings';
import type { Language } from '../i18n/translator.ts';

interface TextOption<Required extends boolean = boolean> {
  readonly kind: 'text';
  readonly required: Required;
  readonly maxLength: number;
  /** Words of a message that it takes: one or a quoted phrase, those that `fits` accepts, all others, or `--name=value`. */
  readonly takes: 'word' | 'phrase' | 'rest' | 'named';
  readonly mayBeBlank?: boolean;
  readonly fits?: (words: string, language: Language) => boolean;
}

/** A setting of the deployment, of which there can be more than Discord has choices. */
interface SettingOption<Required extends boolean = boolean, All extends boolean = boolean> {
  readonly kind: 'setting';
  readonly required: Required;
  readonly takesAll: All;
}

interface NumberOption<Required extends boolean = boolean> {
  readonly kind: 'number';
  readonly required: Required;
}

export type Option = TextOption | SettingOption | NumberOption;

/** Options by name, in the order in which they are typed: required ones first. */
export type OptionSet = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> =
  O extends SettingOption<boolean, infer All>
    ? Setting | (All extends true ? 'all' : never)
    : O extends NumberOption
      ? number
      : string;

export type OptionValues<Options extends OptionSet> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly required: true }
    ? ValueOf<Options[Name]>
    : ValueOf<Options[Name]> | undefined;
};

export type RawOptions = Readonly<Record<string, string | number | undefined>>;

export type CheckedOptions = Readonly<Record<string, string | number | Setting | undefined>>;

export function word<Required extends boolean>(required: Required, maxLength: number): TextOption<Required> {
  return { kind: 'text', required, maxLength, takes: 'word' };
}

export function phrase(maxLength: number, fits: (words: string, language: Language) => boolean): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'phrase', fits };
}

export function rest(maxLength: number): TextOption<true> {
  return { kind: 'text', required: true, maxLength, takes: 'rest' };
}

export function anyRest(maxLength: number): TextOption<false> {
  return { kind: 'text', required: false, maxLength, takes: 'rest', mayBeBlank: true };
}

export function named(maxLength: number): TextOption<false> {
  return { kind: 'text', required: false, maxLength, takes: 'named' };
}

export function setting<Required extends boolean>(required: Required): SettingOption<Required, false> {
  return { kind: 'setting', required, takesAll: false };
}

export function settingOrAll(): SettingOption<true, true> {
  return { kind: 'setting', required: true, takesAll: true };
}

export function wholeNumber<Required extends boolean>(required: Required): NumberOption<Required> {
  return { kind: 'number', required };
}
