import type { GuildRole } from '@guild-settings/contract';
import type { GuildView } from './guild-views.ts';
import { BITS, guildPermissions, has } from './permissions.ts';

export function listRoles({ guild, bot }: Omit<GuildView, 'channels'>, nowMs: number): GuildRole[] {
  const roles = [...guild.roles.values()].filter(({ id }) => id !== guild.id).sort(byPosition);
  const isOwner = bot.userId === guild.ownerId;
  const highest = roles.find(({ id }) => bot.roleIds.includes(id));
  const isBelow = (role: Ranked) => isOwner || (highest !== undefined && byPosition(highest, role) < 0);
  const mayAssign = has(guildPermissions(guild, bot, nowMs), BITS.MANAGE_ROLES);
  return roles.map((role) => {
    const { id, name, color, position, managed } = role;
    return { id, name, color, position, managed, assignable: mayAssign && !managed && isBelow(role) };
  });
}

type Ranked = Pick<GuildRole, 'id' | 'position'>;

/**
 * The highest position first; of the same position, the older one.
 * @see https://docs.discord.com/developers/topics/permissions#permission-hierarchy
 */
function byPosition(a: Ranked, b: Ranked): number {
  if (a.position !== b.position) return b.position - a.position;
  return Number(BigInt(a.id) - BigInt(b.id));
}
