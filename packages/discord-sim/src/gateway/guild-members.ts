import {
  GatewayDispatchEvents,
  type GatewayGuildMembersChunkDispatchData,
  GatewayIntentBits,
  type Snowflake,
} from 'discord-api-types/v10';
import { memberObject } from '../objects/member-object.ts';
import type { Member } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import type { GuildMembersRequest } from './guild-members-request.ts';
import type { Session } from './session.ts';

const CHUNK_MEMBERS = 1_000;
/** The most members that Discord sends for some users or for the beginning of a name. */
const MAX_SELECTED = 100;

/**
 * Sends the requested members, in chunks of 1,000. Ignores guilds without the bot, and a request for all members without the
 * members intent.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#request-guild-members
 */
export function sendGuildMembers(world: World, session: Session, request: GuildMembersRequest): void {
  const { guildId, filter, nonce } = request;
  const { bot, intents } = session;
  if (!world.guilds.findMember(guildId, bot.userId)) return;
  const isForAll = 'query' in filter && filter.query === '';
  if (isForAll && (intents & GatewayIntentBits.GuildMembers) === 0) return;
  const withPresences = request.withPresences && (intents & GatewayIntentBits.GuildPresences) !== 0;

  const found = world.guilds.members(guildId).filter((member) => isWanted(world, member, filter));
  const members = found.slice(0, isForAll ? request.limit || found.length : request.limit || MAX_SELECTED);
  const missing = 'userIds' in filter ? filter.userIds.filter((id) => !isAmong(found, id)) : [];
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
        ...(withPresences && { presences: [] }),
        ...(missing.length > 0 && { not_found: missing }),
        ...(nonce !== null && { nonce }),
      } satisfies GatewayGuildMembersChunkDispatchData,
    });
  }
}

function isWanted(world: World, { userId, nick }: Member, filter: GuildMembersRequest['filter']): boolean {
  if ('userIds' in filter) return filter.userIds.includes(userId);
  const { username, globalName } = world.user(userId);
  const beginning = filter.query.toLowerCase();
  return [username, globalName, nick].some((name) => name?.toLowerCase().startsWith(beginning));
}

function isAmong(members: readonly Member[], id: Snowflake): boolean {
  return members.some(({ userId }) => userId === id);
}
