import type { GuildRole } from '@guild-settings/contract';
import type { DiscordGuild } from './discord-guild.ts';

/** Lists the roles of a guild in the order of Discord's client, the highest first, without `@everyone`. */
export function listRoles({ id: everyoneId, roles }: DiscordGuild): GuildRole[] {
  return [...roles.values()]
    .filter(({ id }) => id !== everyoneId)
    .sort(byPosition)
    .map(({ id, name, color, position, managed }) => ({ id, name, color, position, managed }));
}

/** The highest position first; of the same position, the older one. */
function byPosition(a: GuildRole, b: GuildRole): number {
  if (a.position !== b.position) return b.position - a.position;
  return BigInt(a.id) < BigInt(b.id) ? -1 : 1;
}
