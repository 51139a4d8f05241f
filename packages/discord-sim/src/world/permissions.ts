import { PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { Channel, Guild, Member, Overwrite } from './entities.ts';

/** All permissions. */
export const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** To read, to write and to use commands. */
export const EVERYDAY_PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.UseApplicationCommands;

/** The key of the overwrite for all members. */
export const EVERYONE = '@everyone';

/** All that a member may do during a timeout. */
const TIMED_OUT_PERMISSIONS = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

/** Returns a member's permissions in the guild. */
export function permissionsInGuild(guild: Guild, member: Member): bigint {
  const all = guild.ownerId === member.userId || has(member.permissions, PermissionFlagsBits.Administrator);
  return all ? ALL_PERMISSIONS : member.permissions;
}

/**
 * Returns a member's permissions in a channel; for a thread, pass its parent.
 *
 * @param now - milliseconds since the Unix epoch, for timeouts
 * @see https://discord.com/developers/docs/topics/permissions#permission-overwrites
 */
export function permissionsInChannel(guild: Guild, channel: Channel, member: Member, now: number): bigint {
  const base = permissionsInGuild(guild, member);
  if (has(base, PermissionFlagsBits.Administrator)) return base;
  const mine = [EVERYONE, member.roleId, member.userId].reduce(
    (permissions, key) => overwritten(permissions, overwriteOf(channel, key)),
    base,
  );
  if (!has(mine, PermissionFlagsBits.ViewChannel)) return 0n;
  return member.timedOutUntil !== null && now < member.timedOutUntil ? mine & TIMED_OUT_PERMISSIONS : mine;
}

/** Returns whether a bit set contains all bits of another. */
export function has(permissions: bigint, wanted: bigint): boolean {
  return (permissions & wanted) === wanted;
}

function overwriteOf({ permissions }: Channel, key: Snowflake): Overwrite {
  return (Object.hasOwn(permissions, key) && permissions[key]) || {};
}

function overwritten(permissions: bigint, { allow = 0n, deny = 0n }: Overwrite): bigint {
  return (permissions & ~deny) | allow;
}
