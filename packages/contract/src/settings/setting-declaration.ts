import type { LabelLanguage } from '../languages.ts';
import type { ChannelPermission } from './channel-permissions.ts';

/** A text for people, in at least one language. Other languages fall back to it. */
export type Texts = Readonly<Partial<Record<LabelLanguage, string>>>;

/** The types of channels that a setting can be limited to. */
export const CHANNEL_TYPES = ['text', 'announcement', 'voice', 'stage', 'forum', 'media', 'category'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A list of values instead of one. */
export interface Many {
  /** Maximum items: at most 100 channels, roles, users, emojis and choices, and 25 of other kinds. */
  readonly max: number;
}

interface Declared {
  /** The name for people: at most 45 code points. */
  readonly label: Texts;
  readonly description?: Texts;
  readonly group?: string;
  /** `application`: people can see it but not change it. */
  readonly setBy?: 'application';
  /** Former names, oldest first. Values stay stored under the oldest name, and requests may use all of them. */
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
  /** The unit that is shown after it, such as `%`. */
  readonly unit?: string;
}

/** A decimal number. */
export interface NumberDeclaration extends Ranged {
  readonly kind: 'number';
  /** Maximum decimal places: 1 to 6. */
  readonly decimals: number;
  /** The unit that is shown after it, such as `×`. */
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
  /** The name of a declared time zone setting that applies to it. */
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

/** A Unicode emoji, or a custom emoji as `<:name:id>`; `''` for none. */
export interface EmojiDeclaration extends Listed {
  readonly kind: 'emoji';
}

/** A text of one or more lines. */
export interface TextDeclaration extends Declared {
  readonly kind: 'text';
  /** `one` unless given. */
  readonly lines?: 'one' | 'many';
  /** Code points: at most 2,000; in a list at most 100. */
  readonly max: number;
  /** The placeholders that a bot replaces: `{user}` in the text. Other names in braces are refused. */
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
   * The permissions that the bot needs in the channel, by discord.js's names. Default: to view and write in it; for a
   * list, none.
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

/** A column of a table: a setting with a single value. A text has one line. */
export type ColumnDeclaration = WithoutOptions<ScalarDeclaration> & {
  /** The cell of a new row, and of rows that are older than the column. */
  readonly default?: Cell;
};

/** A list of rows. */
export interface TableDeclaration extends Declared {
  readonly kind: 'table';
  /** Maximum rows, up to 25. */
  readonly max: number;
  /** At most five columns. */
  readonly columns: Readonly<Record<string, ColumnDeclaration>>;
  /** The columns whose cells must be unique among the rows. */
  readonly key?: readonly string[];
  /** No rows unless given. */
  readonly default?: readonly Row[];
}

export type SettingDeclaration = ScalarDeclaration | TableDeclaration;

export type KindName = SettingDeclaration['kind'];

export type Cell = boolean | number | string;

/** A row of a table, with a cell for each column. */
export type Row = Readonly<Record<string, Cell>>;

/** An item of a list, or a single value. */
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

/** Returns a text in a language, otherwise in English, otherwise in its first language; undefined: it has none. */
export function textIn(texts: Texts | undefined, language: string): string | undefined {
  const all = (texts ?? {}) as Readonly<Record<string, string | undefined>>;
  return (Object.hasOwn(all, language) ? all[language] : undefined) ?? all['en-US'] ?? Object.values(all)[0];
}
