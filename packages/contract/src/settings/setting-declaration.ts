import type { Language } from '../languages.ts';

/** A text for people, in at least one language. Other languages fall back to it. */
export type Texts = Readonly<Partial<Record<Language, string>>>;

/** The types of channels that a setting can be limited to. */
export const CHANNEL_TYPES = ['text', 'announcement', 'voice', 'stage', 'forum', 'media', 'category'] as const;
/** A type of channels. */
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A list of values instead of one. */
export interface Many {
  /** The most items, at most 25. */
  readonly max: number;
}

interface Declared {
  /** What people call the setting: at most 45 code points. */
  readonly label: Texts;
  readonly description?: Texts;
  /** The group that it is shown in. */
  readonly group?: string;
  /** `application`: people see it and cannot change it. */
  readonly setBy?: 'application';
}

interface Ranged extends Declared {
  readonly min: number;
  readonly max: number;
  readonly many?: Many;
  readonly default?: number | readonly number[];
}

/** True or false. */
export interface SwitchDeclaration extends Declared {
  readonly kind: 'switch';
  /** `false` unless given. */
  readonly default?: boolean;
}

/** A whole number. */
export interface IntegerDeclaration extends Ranged {
  readonly kind: 'integer';
  /** The unit that is shown behind it, such as `%`. */
  readonly unit?: string;
}

/** A number of seconds. */
export interface DurationDeclaration extends Ranged {
  readonly kind: 'duration';
}

/** One of some values. */
export interface ChoiceDeclaration extends Declared {
  readonly kind: 'choice';
  /** The values and what people call them. */
  readonly choices: Readonly<Record<string, Texts>>;
  readonly many?: Many;
  readonly default?: string | readonly string[];
}

/** A text of one line, or of many. */
export interface TextDeclaration extends Declared {
  readonly kind: 'text';
  /** `one` unless given. */
  readonly lines?: 'one' | 'many';
  /** Code points: at most 2,000; in a list at most 100. */
  readonly max: number;
  readonly many?: Many;
  /** Empty unless given. */
  readonly default?: string | readonly string[];
}

/** A channel of the guild by its id, or `''` for none. */
export interface ChannelDeclaration extends Declared {
  readonly kind: 'channel';
  /** The types that can be chosen; all unless given. */
  readonly types?: readonly ChannelType[];
  readonly many?: Many;
  readonly default?: string | readonly string[];
}

/** A role of the guild by its id, or `''` for none. */
export interface RoleDeclaration extends Declared {
  readonly kind: 'role';
  readonly many?: Many;
  readonly default?: string | readonly string[];
}

/** The declaration of one setting. */
export type SettingDeclaration =
  | SwitchDeclaration
  | IntegerDeclaration
  | DurationDeclaration
  | ChoiceDeclaration
  | TextDeclaration
  | ChannelDeclaration
  | RoleDeclaration;

/** The name of a kind. */
export type KindName = SettingDeclaration['kind'];

/** A value of a setting. */
export type SettingValue = boolean | number | string | readonly number[] | readonly string[];

type ItemOf<D> = D extends { readonly kind: 'switch' }
  ? boolean
  : D extends { readonly kind: 'integer' | 'duration' }
    ? number
    : D extends { readonly kind: 'choice'; readonly choices: infer Choices; readonly open?: never }
      ? Extract<keyof Choices, string>
      : string;

/** The type of the values of a declared setting. */
export type ValueOf<D> = D extends { readonly many: object } ? readonly ItemOf<D>[] : ItemOf<D>;
