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
