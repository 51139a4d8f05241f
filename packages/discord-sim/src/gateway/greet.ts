import {
  type ApplicationFlags,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
  GatewayVersion,
} from 'discord-api-types/v10';
import { ownUserObject } from '../objects/own-user-object.ts';
import type { World } from '../world/world.ts';
import { shardOf } from './dispatch.ts';
import { goneGuild } from './dispatches.ts';
import { guildCreate } from './guild-create.ts';
import type { Session } from './session.ts';

/**
 * Sends READY, then every guild of the shard, as unavailable during an outage.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#ready
 */
export function greet(world: World, session: Session, resumeUrl: string): void {
  const { bot, intents, shard } = session;
  const guildIds = world
    .membershipsOf(bot.userId)
    .map(({ guild }) => guild.id)
    .filter((id) => shardOf(id, shard[1]) === shard[0]);
  session.dispatch({
    t: GatewayDispatchEvents.Ready,
    d: {
      v: Number(GatewayVersion),
      user: ownUserObject(world.user(bot.userId)),
      guilds: guildIds.map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: resumeUrl,
      shard: [...shard],
      application: { id: bot.applicationId, flags: 0 as ApplicationFlags, flags_new: '0' },
    } satisfies GatewayReadyDispatchData,
  });
  if ((intents & GatewayIntentBits.Guilds) === 0) return;
  for (const id of guildIds) {
    session.dispatch(
      world.guilds.isUnavailable(id)
        ? { t: GatewayDispatchEvents.GuildDelete, d: goneGuild(id, true) }
        : { t: GatewayDispatchEvents.GuildCreate, d: guildCreate(world, session, id) },
    );
  }
}
