import { GatewayDispatchEvents, GatewayOpcodes, PresenceUpdateStatus } from 'discord-api-types/v10';
import { z } from 'zod';
import type { World } from '../world/world.ts';
import { guildMembersRequest, sendGuildMembers } from './guild-members.ts';
import type { Session } from './session.ts';

export const sequence = z.int().min(0);

/** Discord accepts a presence without `afk` only. */
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
 * The requests, which need a session. Presences and voice states are accepted and have no effect; soundboards are empty, and
 * there are no voice channels.
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
