import { GatewayDispatchEvents, type GatewayGuildMembersChunkDispatchData } from 'discord-api-types/v10';
import { memberObject } from '../objects/member-object.ts';
import { record } from '../record.ts';
import type { Member } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import type { Session } from './session.ts';

const CHUNK_MEMBERS = 1_000;

/**
 * Handles REQUEST_GUILD_MEMBERS, in chunks of 1,000 members. Ignores guilds without the bot.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#request-guild-members
 */
export function sendGuildMembers(world: World, session: Session, data: unknown): void {
  const { guild_id: guildId, query, limit, user_ids: userIds, nonce } = record(data);
  if (typeof guildId !== 'string' || !world.guilds.findMember(guildId, session.bot.userId)) return;
  const requestedIds = userIds === undefined ? null : [userIds].flat();
  const isWanted = ({ userId }: Member): boolean =>
    requestedIds
      ? requestedIds.includes(userId)
      : typeof query !== 'string' || world.user(userId).username.startsWith(query.toLowerCase());
  const found = world.guilds.members(guildId).filter(isWanted);
  const members = typeof limit === 'number' && limit > 0 ? found.slice(0, limit) : found;
  const missing = requestedIds?.filter((id) => typeof id === 'string' && !found.some(({ userId }) => userId === id));
  const count = Math.max(1, Math.ceil(members.length / CHUNK_MEMBERS));
  for (let index = 0; index < count; index += 1) {
    const chunk = members.slice(index * CHUNK_MEMBERS, (index + 1) * CHUNK_MEMBERS);
    session.dispatch({
      t: GatewayDispatchEvents.GuildMembersChunk,
      d: {
        guild_id: guildId,
        members: chunk.map((member) => memberObject(world, member)),
        chunk_index: index,
        chunk_count: count,
        ...(missing?.length && { not_found: missing }),
        ...(typeof nonce === 'string' && { nonce }),
      } satisfies GatewayGuildMembersChunkDispatchData,
    });
  }
}
