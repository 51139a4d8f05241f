import {
  GatewayDispatchEvents,
  type GatewayGuildMembersChunkDispatchData,
  GatewayIntentBits,
  type Snowflake,
} from 'discord-api-types/v10';
import { memberObject } from '../objects/member-object.ts';
import type { Member } from '../world/entities.ts';
import type { World } from '../world/world.ts';
import { isObject, isSequence, isTextList } from './payloads.ts';
import type { Session } from './session.ts';

const MAX_NONCE_BYTES = 32;

/** The data of REQUEST_GUILD_MEMBERS. */
export interface GuildMembersRequest {
  readonly guildId: Snowflake;
  /** The requested users, or the beginning of the names of the requested members. */
  readonly filter: { readonly userIds: readonly Snowflake[] } | { readonly query: string };
  /** 0: no limit. */
  readonly limit: number;
  readonly withPresences: boolean;
  /** `null` without a nonce, and for one that is too long. */
  readonly nonce: string | null;
}

/**
 * Parses REQUEST_GUILD_MEMBERS.
 *
 * @returns `null` unless it names one guild, and either users or a query with a limit
 * @see https://discord.com/developers/docs/events/gateway-events#request-guild-members
 */
export function guildMembersRequest(data: unknown): GuildMembersRequest | null {
  if (!isObject(data)) return null;
  const { guild_id: guild, user_ids: users, query, limit, nonce, presences } = data;
  // Before the members intent, one request could name several guilds, and clients still send a list.
  const [guildId, ...others] = [guild].flat();
  if (typeof guildId !== 'string' || others.length > 0) return null;
  const filter = filterOf(users, query);
  if (!filter || ('query' in filter && !isSequence(limit))) return null;
  return {
    guildId,
    filter,
    limit: isSequence(limit) ? limit : 0,
    withPresences: presences === true,
    nonce: typeof nonce === 'string' && Buffer.byteLength(nonce) <= MAX_NONCE_BYTES ? nonce : null,
  };
}

function filterOf(users: unknown, query: unknown): GuildMembersRequest['filter'] | null {
  if (users !== undefined && users !== null) {
    const userIds = [users].flat();
    return isTextList(userIds) ? { userIds } : null;
  }
  return typeof query === 'string' ? { query } : null;
}

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
