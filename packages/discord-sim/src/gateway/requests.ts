import { GatewayDispatchEvents, GatewayOpcodes } from 'discord-api-types/v10';
import type { World } from '../world/world.ts';
import type { ClientFrame } from './client-frame.ts';
import { guildMembersRequest, sendGuildMembers } from './guild-members.ts';
import { isObject, isPresence, isTextList, isVoiceState } from './payloads.ts';
import type { Session } from './session.ts';

/** The opcodes that need a session. */
const REQUESTS: ReadonlySet<GatewayOpcodes> = new Set([
  GatewayOpcodes.PresenceUpdate,
  GatewayOpcodes.VoiceStateUpdate,
  GatewayOpcodes.RequestGuildMembers,
  GatewayOpcodes.RequestSoundboardSounds,
  GatewayOpcodes.RequestChannelInfo,
]);

/** Returns whether a frame is a request, which needs a session. */
export function isRequest({ op }: ClientFrame): boolean {
  return REQUESTS.has(op);
}

/**
 * Handles the request of a session. Presences and voice states are accepted and have no effect.
 *
 * @returns false when the data does not fit the opcode
 * @see https://discord.com/developers/docs/events/gateway-events#send-events
 */
export function handleRequest(world: World, session: Session, { op, d }: ClientFrame): boolean {
  switch (op) {
    case GatewayOpcodes.PresenceUpdate:
      return isPresence(d);
    case GatewayOpcodes.VoiceStateUpdate:
      return isVoiceState(d);
    case GatewayOpcodes.RequestGuildMembers: {
      const request = guildMembersRequest(d);
      if (request) sendGuildMembers(world, session, request);
      return request !== null;
    }
    case GatewayOpcodes.RequestSoundboardSounds:
      return sendSoundboardSounds(world, session, d);
    case GatewayOpcodes.RequestChannelInfo:
      return sendChannelInfo(world, session, d);
    default:
      return false;
  }
}

/** Sends an empty soundboard for each guild of the bot. */
function sendSoundboardSounds(world: World, session: Session, data: unknown): boolean {
  const guildIds = isObject(data) ? data.guild_ids : undefined;
  if (!isTextList(guildIds)) return false;
  for (const guildId of guildIds) {
    if (!world.guilds.findMember(guildId, session.bot.userId)) continue;
    const d = { guild_id: guildId, soundboard_sounds: [] };
    session.dispatch({ t: GatewayDispatchEvents.SoundboardSounds, d });
  }
  return true;
}

/** Sends the voice channels of a guild, of which there are none. */
function sendChannelInfo(world: World, session: Session, data: unknown): boolean {
  if (!isObject(data) || typeof data.guild_id !== 'string' || !isTextList(data.fields)) return false;
  if (world.guilds.findMember(data.guild_id, session.bot.userId)) {
    session.dispatch({ t: GatewayDispatchEvents.ChannelInfo, d: { guild_id: data.guild_id, channels: [] } });
  }
  return true;
}
