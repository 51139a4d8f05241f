import type { LabelLanguage } from '../languages.ts';
import type { ChannelPermission } from './channel-permissions.ts';

/** A text for people, in at least one language. Other languages fall back to it. */
export type Texts = Readonly<Partial<Record<LabelLanguage, string>>>;

/** The types of channels that a setting can be limited to. */
export const CHANNEL_TYPES = ['text', 'announcement', 'voice', 'stage', 'forum', 'media', 'category'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A list of values instead of one. */
export interface Many {
  /** The most items: at most 100 channels, roles, users, emoji and choices, and 25 of others. */
  readonly max: number;
}

interface Declared {
  /** The name for people: at most 45 code points. */
  readonly label: Texts;
  readonly description?: Texts;
  readonly group?: string;
  /** `application`: people see it and cannot change it. */
  readonly setBy?: 'application';
  /** The names that it had before, the first one first. Values stay stored under that, and requests may have all of them. */
  readonly was?: string | readonly string[];
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

/** A decimal number. */
export interface NumberDeclaration extends Ranged {
  readonly kind: 'number';
  /** The most decimal places: 1 to 6. */
  readonly decimals: number;
  /** The unit that is shown behind it, such as `×`. */
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

interface Listed extends Declared {
  readonly many?: Many;
  readonly default?: string | readonly string[];
}

/** A time of day as `HH:MM`. */
export interface TimeDeclaration extends Listed {
  readonly kind: 'time';
  /** The name of the declared time zone in which it is meant. */
  readonly zone?: string;
}

/** A time zone by its IANA name. */
export interface TimeZoneDeclaration extends Declared {
  readonly kind: 'timeZone';
  /** `UTC` unless given. */
  readonly default?: string;
}

/** An RGB color as `#RRGGBB`. */
export interface ColorDeclaration extends Listed {
  readonly kind: 'color';
}

/** An emoji of Unicode, or one of the guild as `<:name:id>`; `''` for none. */
export interface EmojiDeclaration extends Listed {
  readonly kind: 'emoji';
}

/** A text of one line, or of many. */
export interface TextDeclaration extends Declared {
  readonly kind: 'text';
  /** `one` unless given. */
  readonly lines?: 'one' | 'many';
  /** Code points: at most 2,000; in a list at most 100. */
  readonly max: number;
  /** The names that a bot replaces: `{user}` in the text. Other names in braces are refused. */
  readonly placeholders?: Readonly<Record<string, Texts>>;
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

/** A member of the guild by their id, or `''` for none. */
export interface UserDeclaration extends Listed {
  readonly kind: 'user';
}

type ScalarDeclaration =
  | SwitchDeclaration
  | IntegerDeclaration
  | NumberDeclaration
  | DurationDeclaration
  | ChoiceDeclaration
  | TimeDeclaration
  | TimeZoneDeclaration
  | TextDeclaration
  | ColorDeclaration
  | EmojiDeclaration
  | ChannelDeclaration
  | RoleDeclaration
  | UserDeclaration;

type WithoutOptions<D> = D extends unknown ? Omit<D, 'many' | 'group' | 'setBy' | 'was' | 'default'> : never;

/** A column of a table: a setting of one value. A text has one line. */
export type ColumnDeclaration = WithoutOptions<ScalarDeclaration> & {
  /** The cell of a new row, and of rows from before the column was declared. */
  readonly default?: Cell;
};

/** A list of rows. */
export interface TableDeclaration extends Declared {
  readonly kind: 'table';
  /** The most rows, at most 25. */
  readonly max: number;
  /** At most five columns. */
  readonly columns: Readonly<Record<string, ColumnDeclaration>>;
  /** The columns whose cells no two rows have in common. */
  readonly key?: readonly string[];
  /** No rows unless given. */
  readonly default?: readonly Row[];
}

export type SettingDeclaration = ScalarDeclaration | TableDeclaration;

export type KindName = SettingDeclaration['kind'];

export type Cell = boolean | number | string;

/** A row of a table, with a cell for each column. */
export type Row = Readonly<Record<string, Cell>>;

/** An item of a list, or the value of a setting with one. */
export type Item = Cell | Row;

export type SettingValue = Cell | readonly number[] | readonly string[] | readonly Row[];

type ItemOf<D> = D extends { readonly kind: 'switch' }
  ? boolean
  : D extends { readonly kind: 'integer' | 'number' | 'duration' }
    ? number
    : D extends { readonly kind: 'choice'; readonly choices: infer Choices; readonly open?: never }
      ? Extract<keyof Choices, string>
      : string;

export type ValueOf<D> = D extends { readonly kind: 'table'; readonly columns: infer Columns }
  ? readonly { readonly [Name in keyof Columns]: ItemOf<Columns[Name]> }[]
  : D extends { readonly many: object }
    ? readonly ItemOf<D>[]
    : ItemOf<D>;

/** Returns a text in a language, else in English, else in the first language that it has; undefined: it has none. */
export function textIn(texts: Texts | undefined, language: string): string | undefined {
  const all = (texts ?? {}) as Readonly<Record<string, string | undefined>>;
  return (Object.hasOwn(all, language) ? all[language] : undefined) ?? all['en-US'] ?? Object.values(all)[0];
}
