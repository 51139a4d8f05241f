import type { GuildId, Snowflake } from '@guild-settings/contract';

declare const isManager: unique symbol;

/** A user who may change a guild. Only the guard `requireManager` makes one. */
export interface GuildManager {
  readonly guildId: GuildId;
  readonly userId: Snowflake;
  readonly [isManager]: true;
}
