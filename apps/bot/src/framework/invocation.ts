import type { GuildId, GuildSettings, Snowflake } from '@guild-settings/contract';
import type { Translator } from '../i18n/translator.ts';

/** Somebody's use of a command, whichever way it came. */
export interface Invocation {
  /** Discord's id of the message or interaction. */
  readonly id: Snowflake;
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
  /** What Discord says the person may do in the guild, as a bit set; an owner may do everything. */
  readonly permissions: bigint;
  /** Whether the person may write in the channel, who need not have done so to use a command there. */
  readonly mayWrite: boolean;
  readonly settings: Readonly<GuildSettings>;
  readonly translator: Translator;
  /** What was written before the command: `/`, the guild's prefix, or the bot's mention and a space. */
  readonly prefix: string;
}
