import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { Channel, Guild, Member, Overwrite } from './entities.ts';

export const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

export const EVERYDAY_PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.UseApplicationCommands;

export const EVERYONE = '@everyone';

const TIMED_OUT_PERMISSIONS = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

export function permissionsInGuild({ ownerId }: Guild, userId: Snowflake, granted: bigint): bigint {
  const all = ownerId === userId || has(granted, PermissionFlagsBits.Administrator);
  return all ? ALL_PERMISSIONS : granted;
}

/**
 * Returns a member's permissions in a channel; for a thread, pass its parent.
 *
 * @param base - the permissions in the guild
 * @param now - milliseconds since the Unix epoch, for timeouts
 * @see https://discord.com/developers/docs/topics/permissions#permission-overwrites
 */
export function permissionsInChannel(base: bigint, channel: Channel, member: Member, now: number): bigint {
  if (has(base, PermissionFlagsBits.Administrator)) return base;
  // Among several roles, allow takes precedence over deny.
  const mine = [[EVERYONE], [member.roleId, ...member.roleIds], [member.userId]].reduce((permissions, keys) => {
    const overwrites = keys.map((key) => overwriteOf(channel, key));
    const [deny, allow] = [union(overwrites.map((one) => one.deny)), union(overwrites.map((one) => one.allow))];
    return (permissions & ~deny) | allow;
  }, base);
  if (!has(mine, PermissionFlagsBits.ViewChannel)) return 0n;
  return member.timedOutUntil !== null && now < member.timedOutUntil ? mine & TIMED_OUT_PERMISSIONS : mine;
}

export function has(permissions: bigint, wanted: bigint): boolean {
  return (permissions & wanted) === wanted;
}

function overwriteOf({ permissions }: Channel, key: Snowflake): Overwrite {
  return (Object.hasOwn(permissions, key) && permissions[key]) || {};
}

function union(sets: readonly (bigint | undefined)[]): bigint {
  return sets.reduce<bigint>((all, bits = 0n) => all | bits, 0n);
}
