import { BOT_PERMISSION_BITS } from '@guild-settings/contract';
import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import {
  APPLICATION,
  BOT,
  GUILDS,
  PEOPLE,
  type SandboxGuild,
  startWorld,
} from '@guild-settings/discord-sim/testing/world';
import { type Client, Events } from 'discord.js';
import { gatewayClient } from '../discord/gateway-client.ts';

export { APPLICATION };
export const TOKEN = BOT.token;
export const BOT_ID = BOT.userId;
export const { owner: OWNER, member: MEMBER } = PEOPLE;
export const [, GUILD] = GUILDS as readonly [SandboxGuild, SandboxGuild];
export const CHANNEL = { id: GUILD.channels.general, guildId: GUILD.id, name: 'general' };

/** The permissions that the bot's invitation requests, and no others. */
const INVITATION = { permissions: BOT_PERMISSION_BITS };

/** A simulated Discord with the bot in a guild of an owner, a member and a channel. */
export async function discordResource(options: DiscordSimOptions = {}): Promise<DiscordSim> {
  const discord = await startWorld({ ...options, guilds: [GUILD], hasBot: false });
  const { world } = discord;
  world.addBot({ applicationId: APPLICATION.id, ...BOT });
  world.addChannel(CHANNEL);
  world.addBotToGuild(GUILD.id, INVITATION);
  return discord;
}

/** Adds a guild with the bot in it. */
export function joinGuild({ world }: DiscordSim, id: string, name: string): void {
  world.addGuild({ id, name, ownerId: OWNER.id });
  world.addBotToGuild(id, INVITATION);
}

/** Removes discord.js's pauses between two identifications. */
export function unhurried(client: Client): Client {
  const buildIdentifyThrottler = async () => ({ waitForIdentify: async () => undefined });
  client.options.ws = { ...client.options.ws, buildIdentifyThrottler };
  // Without listeners, errors that a test causes would end the process.
  client.on(Events.Error, () => {}).on(Events.ShardError, () => {});
  return client;
}

/** The bot's client, not logged in, destroyed at the end of its scope. It does not retry requests. */
export function clientResource(
  { apiUrl }: Pick<DiscordSim, 'apiUrl'>,
  shards: Parameters<typeof gatewayClient>[0]['shards'] = null,
) {
  const client = unhurried(gatewayClient({ apiUrl, shards }));
  client.rest.setToken(TOKEN);
  client.rest.options.retries = 0;
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.destroy() });
}
