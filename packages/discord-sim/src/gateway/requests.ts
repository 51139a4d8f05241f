import {
  GatewayCloseCodes,
  GatewayDispatchEvents,
  type GatewayGuildMembersChunkDispatchData,
  GatewayIntentBits,
  GatewayOpcodes,
  PresenceUpdateStatus,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { memberObject } from '../objects/guild-objects.ts';
import { PRIVILEGED_INTENTS } from '../world/bots.ts';
import type { Bot, Member } from '../world/entities.ts';
import { isNamedLike } from '../world/guilds.ts';
import type { World } from '../world/world.ts';
import { guildIdsOf, type Identity, type Session } from './session.ts';

const MIN_LARGE_THRESHOLD = 50;
const MAX_LARGE_THRESHOLD = 250;
const MAX_SHARD_GUILDS = 2_500;

/** Discord requires `properties`, but none of the members that it documents. */
const identify = z.object({
  token: z.string(),
  properties: z.looseObject({}),
  presence: z.looseObject({}).nullish(),
  compress: z.boolean().nullish(),
  intents: z.unknown().optional(),
  shard: z.unknown().optional(),
  large_threshold: z.unknown().optional(),
});

const KNOWN_INTENTS = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === 'number')
  .reduce((all, bit) => all | bit, 0);

const shardPair = z.tuple([z.int().min(0), z.int()]).refine(([id, count]) => id < count);

/**
 * @returns the identity, or the code to close with
 * @see https://discord.com/developers/docs/events/gateway-events#identify
 */
export function identityOf(world: World, data: unknown): Identity | GatewayCloseCodes {
  const parsed = identify.safeParse(data);
  if (!parsed.success) return GatewayCloseCodes.DecodeError;
  const { token, intents, shard: givenShard, large_threshold: largeThreshold, compress } = parsed.data;
  const bot = botOfToken(world, token);
  if (!bot) return GatewayCloseCodes.AuthenticationFailed;
  const { data: shard } = shardPair.safeParse(givenShard ?? [0, 1]);
  if (!shard) return GatewayCloseCodes.InvalidShard;
  if (!areIntents(intents)) return GatewayCloseCodes.InvalidIntents;
  if (!areAllowed(intents, bot)) return GatewayCloseCodes.DisallowedIntents;
  if (guildIdsOf(world, bot, shard).length > MAX_SHARD_GUILDS) return GatewayCloseCodes.ShardingRequired;
  const threshold = typeof largeThreshold === 'number' ? largeThreshold : MIN_LARGE_THRESHOLD;
  return {
    bot,
    intents,
    shard,
    isSharded: givenShard !== undefined && givenShard !== null,
    compress: compress === true,
    largeThreshold: Math.min(Math.max(threshold, MIN_LARGE_THRESHOLD), MAX_LARGE_THRESHOLD),
  };
}

/** Returns the bot of a token in IDENTIFY or RESUME, to which some libraries add the prefix `Bot `. */
export function botOfToken(world: World, token: string): Bot | null {
  return world.bots.findByToken(token.replace(/^Bot +/, ''));
}

function areIntents(intents: unknown): intents is number {
  return Number.isInteger(intents) && (Number(intents) & ~KNOWN_INTENTS) === 0 && Number(intents) <= KNOWN_INTENTS;
}

function areAllowed(intents: number, bot: Bot): boolean {
  return (intents & PRIVILEGED_INTENTS & ~bot.privilegedIntents) === 0;
}

const MAX_NONCE_BYTES = 32;

const oneOrMore = <Texts extends z.ZodType>(texts: Texts) => z.preprocess((value) => [value].flat(), texts);

const common = {
  /** Before the members intent existed, one request could name several guilds, and clients still send a list. */
  guild_id: oneOrMore(z.tuple([z.string()])),
  presences: z.boolean().catch(false),
  nonce: z
    .string()
    .refine((nonce) => Buffer.byteLength(nonce) <= MAX_NONCE_BYTES)
    .nullable()
    .catch(null),
};

/**
 * The data of REQUEST_GUILD_MEMBERS: either user ids, or the start of a name with a limit, where 0 means no limit.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#request-guild-members
 */
const guildMembersRequest = z.union([
  z.object({ ...common, user_ids: oneOrMore(z.array(z.string())), limit: z.int().min(0).catch(0) }),
  z.object({ ...common, user_ids: z.null().optional(), query: z.string(), limit: z.int().min(0) }),
]);

type GuildMembersRequest = z.output<typeof guildMembersRequest>;

const CHUNK_MEMBERS = 1_000;
/** Maximum members that Discord sends for user ids or the start of a name. */
const MAX_SELECTED = 100;

/**
 * Sends the requested members, in chunks of 1,000. Ignores guilds without the bot, and a request for all members without the
 * members intent.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#request-guild-members
 */
function sendGuildMembers(world: World, session: Session, request: GuildMembersRequest): void {
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

export const sequence = z.int().min(0);

/** Discord only accepts a presence without `afk`. */
const presence = z.object({
  since: sequence.nullable(),
  activities: z.array(z.object({ name: z.string(), type: sequence.optional() })).nullable(),
  status: z.enum(PresenceUpdateStatus),
  afk: z.boolean().optional(),
});

const voiceState = z.object({
  guild_id: z.string(),
  channel_id: z.string().nullable(),
  self_mute: z.boolean().optional(),
  self_deaf: z.boolean().optional(),
});

const soundboardSoundsRequest = z.object({ guild_ids: z.array(z.string()) });
const channelInfoRequest = z.object({ guild_id: z.string(), fields: z.array(z.string()) });

type RequestHandler = (world: World, session: Session, data: unknown) => boolean;

function handler<Schema extends z.ZodType>(
  schema: Schema,
  handle: (world: World, session: Session, data: z.output<Schema>) => void = () => undefined,
): RequestHandler {
  return (world, session, data) => {
    const parsed = schema.safeParse(data);
    if (parsed.success) handle(world, session, parsed.data);
    return parsed.success;
  };
}

/**
 * The requests, which need a session. Presences and voice states are accepted without effect; soundboards are empty,
 * and there are no voice channels.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#send-events
 */
export const REQUESTS: ReadonlyMap<GatewayOpcodes, RequestHandler> = new Map([
  [GatewayOpcodes.PresenceUpdate, handler(presence)],
  [GatewayOpcodes.VoiceStateUpdate, handler(voiceState)],
  [GatewayOpcodes.RequestGuildMembers, handler(guildMembersRequest, sendGuildMembers)],
  [
    GatewayOpcodes.RequestSoundboardSounds,
    handler(soundboardSoundsRequest, (world, session, { guild_ids: guildIds }) => {
      for (const guildId of guildIds) {
        if (!world.guilds.findMember(guildId, session.identity.bot.userId)) continue;
        const d = { guild_id: guildId, soundboard_sounds: [] };
        session.dispatch({ t: GatewayDispatchEvents.SoundboardSounds, d });
      }
    }),
  ],
  [
    GatewayOpcodes.RequestChannelInfo,
    handler(channelInfoRequest, (world, session, { guild_id: guildId }) => {
      if (!world.guilds.findMember(guildId, session.identity.bot.userId)) return;
      session.dispatch({ t: GatewayDispatchEvents.ChannelInfo, d: { guild_id: guildId, channels: [] } });
    }),
  ],
]);
