import type { GuildId, Snowflake } from '@guild-settings/contract';

declare const isPermitted: unique symbol;

/** A user who may use the commands for managers in a guild. Only the guard `requirePermission` makes one. */
export interface PermittedUser {
  readonly guildId: GuildId;
  readonly userId: Snowflake;
  readonly [isPermitted]: true;
}
