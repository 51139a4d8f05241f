import type { Language } from '../languages.ts';
import type { ChannelPermission } from './channel-permissions.ts';

/** A text for people, in at least one language. Other languages fall back to it. */
export type Texts = Readonly<Partial<Record<Language, string>>>;

/** The types of channels that a setting can be limited to. */
export const CHANNEL_TYPES = ['text', 'announcement', 'voice', 'stage', 'forum', 'media', 'category'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A list of values instead of one. */
export interface Many {
  /** The most items, at most 25. */
  readonly max: number;
}

interface Declared {
  /** The name for people: at most 45 code points. */
  readonly label: Texts;
  readonly description?: Texts;
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

export interface SwitchDeclaration extends Declared {
  readonly kind: 'switch';
  /** `false` unless given. */
  readonly default?: boolean;
}

export interface IntegerDeclaration extends Ranged {
  readonly kind: 'integer';
  /** The unit that is shown behind it, such as `%`. */
  readonly unit?: string;
}

/** A number of seconds. */
export interface DurationDeclaration extends Ranged {
  readonly kind: 'duration';
}

export interface ChoiceDeclaration extends Declared {
  readonly kind: 'choice';
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
  /**
   * The permissions that the bot needs in the channel, by discord.js's names. Unless given, to see one channel and to write in it,
   * and none for a list.
   */
  readonly needs?: readonly ChannelPermission[];
  readonly many?: Many;
  readonly default?: string | readonly string[];
}

/** A role of the guild by its id, or `''` for none. */
export interface RoleDeclaration extends Declared {
  readonly kind: 'role';
  readonly many?: Many;
  readonly default?: string | readonly string[];
}

export type SettingDeclaration =
  | SwitchDeclaration
  | IntegerDeclaration
  | DurationDeclaration
  | ChoiceDeclaration
  | TextDeclaration
  | ChannelDeclaration
  | RoleDeclaration;

export type KindName = SettingDeclaration['kind'];

export type SettingValue = boolean | number | string | readonly number[] | readonly string[];

type ItemOf<D> = D extends { readonly kind: 'switch' }
  ? boolean
  : D extends { readonly kind: 'integer' | 'duration' }
    ? number
    : D extends { readonly kind: 'choice'; readonly choices: infer Choices; readonly open?: never }
      ? Extract<keyof Choices, string>
      : string;

export type ValueOf<D> = D extends { readonly many: object } ? readonly ItemOf<D>[] : ItemOf<D>;

/** Returns a text in a language, else in English, else in the first language that it has; undefined: it has none. */
export function textIn(texts: Texts | undefined, language: string): string | undefined {
  const all = (texts ?? {}) as Readonly<Record<string, string | undefined>>;
  return (Object.hasOwn(all, language) ? all[language] : undefined) ?? all['en-US'] ?? Object.values(all)[0];
}
