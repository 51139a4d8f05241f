import type { Flaw } from '../flaw.ts';
import type { SettingDeclaration, SettingValue } from '../setting-declaration.ts';

/** An item of a list, or the value of a setting with one. */
export type Item = boolean | number | string;

/** Options that only the specified settings have. */
export interface ReservedOptions {
  /** Text of a channel that need not be an id, with a length of its own. */
  readonly anyText?: number;
  /** Refuses white space at the start. */
  readonly noLeadingSpace?: true;
  /** Refuses characters that are not shown. */
  readonly noInvisible?: true;
  /** Names that are no choice are kept, up to this length. */
  readonly open?: number;
  readonly examples?: readonly SettingValue[];
}

/** A declaration of a kind, with the options that are reserved to the specified settings. */
export type Options<Name extends SettingDeclaration['kind']> = Extract<SettingDeclaration, { readonly kind: Name }> &
  ReservedOptions;

/** The words and mentions that a person types for values without characters of their own. */
export interface TypedWords {
  /** Returns which word a text is, in the language of the person or in English; undefined: neither. */
  wordOf(typed: string): 'none' | 'on' | 'off' | undefined;
  /** Returns the id in a mention of a channel or a role, or the text itself if it is an id; undefined: neither. */
  idOf(typed: string, mentioned: 'channel' | 'role'): string | undefined;
  /** Returns what people call a choice. */
  namesOf(choice: string): readonly string[];
}

export type Keywords = Readonly<Record<string, unknown>>;

/** All that is particular to one kind of setting. Lists are in `setting.ts`, for all kinds. */
export interface Kind<KindOptions = never> {
  readonly type: 'string' | 'boolean' | 'integer';
  /** The control by which a person sets the value, on a page and in a modal. */
  readonly control: 'switch' | 'number' | 'choice' | 'duration' | 'text' | 'channel' | 'role';
  /** Returns the value of a setting without a default of its own; undefined: the kind has none. */
  readonly empty: Item | undefined;
  /** Returns all that is not valid in an item, which has the type. */
  flaws(item: Item, options: KindOptions): readonly Flaw[];
  /** Returns a single value as it is stored; absent: as it is. */
  readonly stored?: (item: Item, options: KindOptions) => Item;
  /** Returns what a person typed as an item, which may have flaws; undefined: it is none. */
  parse(typed: string, options: KindOptions, words: TypedWords): Item | undefined;
  /** Returns the limits of an item for a request schema. */
  keywords(options: KindOptions): Keywords;
  /** Returns the bytes of the longest item as JSON. */
  maxBytes(options: KindOptions): number;
}

export function kind<Name extends SettingDeclaration['kind']>(declared: Kind<Options<Name>>): Kind<Options<Name>> {
  return declared;
}
