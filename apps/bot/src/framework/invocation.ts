import type { GuildId, RecordSettings, Snowflake } from '@guild-settings/contract';
import type { Translator } from '../i18n/translator.ts';

/** A user's use of a command, by either trigger. */
export interface Invocation {
  /** Id of the message or interaction. */
  readonly id: Snowflake;
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
  /** The user's permissions in the guild, as Discord's bit set. An owner has all of them. */
  readonly permissions: bigint;
  /** Whether the user may write in the channel: a slash command can be used without that. */
  readonly mayWrite: boolean;
  readonly settings: Readonly<RecordSettings>;
  readonly translator: Translator;
  /** Text before the command's name: `/`, the guild's prefix, or the bot's mention and a space. */
  readonly prefix: string;
}

/** How long the buttons of a reply can be used, in milliseconds. */
export const BUTTON_LIFETIME_MS = 10 * 60_000;

/** A button under a reply. Only the user of the command can use it. */
export interface Button {
  /** The name of what it does, among the `buttons` of the action that replies. */
  readonly name: string;
  readonly label: string;
  readonly style: 'primary' | 'secondary' | 'danger';
  /** Passed to the action. Without `|`; the names and all values together have at most 60 characters. */
  readonly values: readonly string[];
}

/** What the bot replies to a command. */
export interface Reply {
  readonly content: string;
  /** At most five. */
  readonly buttons?: readonly Button[];
}
