import {
  type ApplicationFlags,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayReadyDispatchData,
} from 'discord-api-types/v10';
import { ownUserObject } from '../objects/user-object.ts';
import type { World } from '../world/world.ts';
import { goneGuild, guildCreate } from './dispatches.ts';
import { guildIdsOf } from './identify.ts';
import type { Session } from './session.ts';

/** Fields that Discord sends to bots as well, and libraries read, although they are not documented. */
const UNDOCUMENTED = {
  private_channels: [],
  presences: [],
  relationships: [],
  guild_join_requests: [],
  user_settings: {},
};

export interface Greeting {
  readonly version: number;
  readonly resumeUrl: string;
}

/**
 * Sends READY, then every guild of the shard, as unavailable during an outage.
 *
 * @see https://discord.com/developers/docs/events/gateway-events#ready
 */
export function greet(world: World, session: Session, { version, resumeUrl }: Greeting): void {
  const { bot, intents, shard, isSharded } = session.identity;
  const guildIds = guildIdsOf(world, bot, shard);
  session.dispatch({
    t: GatewayDispatchEvents.Ready,
    d: {
      ...UNDOCUMENTED,
      v: version,
      user: ownUserObject(world.user(bot.userId)),
      guilds: guildIds.map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: resumeUrl,
      ...(isSharded && { shard: [...shard] }),
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
