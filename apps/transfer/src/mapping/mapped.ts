import type { GuildId, GuildSettings } from '@guild-settings/contract';

/** What became of a row. */
export type Mapped =
  | {
      readonly is: 'guild';
      readonly guild: GuildId;
      readonly settings: Partial<GuildSettings>;
      /** Names in a document of an export that this version does not know. */
      readonly unknown?: readonly string[];
    }
  /** A row that cannot be taken. */
  | { readonly is: 'refused'; readonly guild?: string; readonly problem: string }
  /** A row about something else: another kind of key, or without a value at any path. */
  | { readonly is: 'other' };
