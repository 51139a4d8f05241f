import type { Snowflake } from 'discord-api-types/v10';
import { isObject, isSequence, isTextList } from './payloads.ts';

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
