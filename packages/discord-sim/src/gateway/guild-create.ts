import { type GatewayGuildCreateDispatchData, GatewayIntentBits, type Snowflake } from 'discord-api-types/v10';
import { guildChannelObjects, threadObject } from '../objects/channel-object.ts';
import { guildObject } from '../objects/guild-object.ts';
import { memberObject } from '../objects/member-object.ts';
import type { World } from '../world/world.ts';
import type { Session } from './session.ts';

/**
 * Returns GUILD_CREATE. Without the presences intent the bot is the only member in it.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#guild-create
 */
export function guildCreate(world: World, { bot, intents, largeThreshold }: Session, guildId: Snowflake) {
  const members = world.guilds.members(guildId);
  const everybody = (intents & GatewayIntentBits.GuildPresences) !== 0;
  const shown = everybody ? members.slice(0, largeThreshold) : members.filter(({ userId }) => userId === bot.userId);
  const channels = world.channels.of(guildId);
  return {
    ...guildObject(world, guildId),
    joined_at: new Date(world.guilds.member(guildId, bot.userId).joinedAt).toISOString(),
    large: members.length > largeThreshold,
    unavailable: false,
    member_count: members.length,
    voice_states: [],
    members: shown.map((member) => memberObject(world, member)),
    channels: guildChannelObjects(world, guildId),
    threads: channels.filter(({ type }) => type === 'thread').map((thread) => threadObject(world, thread)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  } satisfies GatewayGuildCreateDispatchData;
}
