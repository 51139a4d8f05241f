import {
  GatewayDispatchEvents,
  type GatewayGuildMembersChunkDispatchData,
  GatewayIntentBits,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { memberObject } from '../objects/member-object.ts';
import type { Member } from '../world/entities.ts';
import { isNamedLike } from '../world/member-names.ts';
import type { World } from '../world/world.ts';
import type { Session } from './session.ts';

const MAX_NONCE_BYTES = 32;

const oneOrMore = <Texts extends z.ZodType>(texts: Texts) => z.preprocess((value) => [value].flat(), texts);

const common = {
  /** Before the members intent, one request could name several guilds, and clients still send a list. */
  guild_id: oneOrMore(z.tuple([z.string()])),
  presences: z.boolean().catch(false),
  nonce: z
    .string()
    .refine((nonce) => Buffer.byteLength(nonce) <= MAX_NONCE_BYTES)
    .nullable()
    .catch(null),
};

/**
 * The data of REQUEST_GUILD_MEMBERS: either users, or the beginning of the names of members with a limit, of which 0 is none.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#request-guild-members
 */
export const guildMembersRequest = z.union([
  z.object({ ...common, user_ids: oneOrMore(z.array(z.string())), limit: z.int().min(0).catch(0) }),
  z.object({ ...common, user_ids: z.null().optional(), query: z.string(), limit: z.int().min(0) }),
]);

type GuildMembersRequest = z.output<typeof guildMembersRequest>;

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
  const {
    guild_id: [guildId],
    limit,
    nonce,
  } = request;
  const { bot, intents } = session.identity;
  if (!world.guilds.findMember(guildId, bot.userId)) return;
  const isForAll = 'query' in request && request.query === '';
  if (isForAll && (intents & GatewayIntentBits.GuildMembers) === 0) return;
  const withPresences = request.presences && (intents & GatewayIntentBits.GuildPresences) !== 0;

  const found = world.guilds.members(guildId).filter((member) => isWanted(world, member, request));
  const members = found.slice(0, limit || (isForAll ? found.length : MAX_SELECTED));
  const missing = 'query' in request ? [] : request.user_ids.filter((id) => !found.some(({ userId }) => userId === id));
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

function isWanted(world: World, member: Member, request: GuildMembersRequest): boolean {
  return 'query' in request ? isNamedLike(world, member, request.query) : request.user_ids.includes(member.userId);
}
