import { BOT_PERMISSION_BITS } from '@guild-settings/contract';
import { type DiscordSim, type DiscordSimOptions, startDiscordSim } from '@guild-settings/discord-sim';
import { type Client, Events } from 'discord.js';
import { gatewayClient } from '../discord/gateway-client.ts';

export const APPLICATION = { id: '1100000000000000001', clientSecret: 'a-secret', name: 'Settings' };
export const TOKEN = 'token-of-the-bot';
export const BOT_ID = '1100000000000000009';
export const OWNER = { id: '1200000000000000001', username: 'olga' };
export const MEMBER = { id: '1200000000000000002', username: 'mika' };
export const GUILD = { id: '1234567890123456789', name: 'Tea', icon: 'a1b2c3', ownerId: OWNER.id };
export const CHANNEL = { id: '1300000000000000001', guildId: GUILD.id, name: 'general' };

/** The permissions that the bot's invitation requests, and no others. */
const INVITATION = { permissions: BOT_PERMISSION_BITS };

/** A simulated Discord with the bot in a guild of an owner, a member and a channel. */
export async function discordResource(options: DiscordSimOptions = {}): Promise<DiscordSim> {
  const discord = await startDiscordSim(options);
  const { world } = discord;
  world.addUser(OWNER);
  world.addUser(MEMBER);
  world.addApplication({ ...APPLICATION, ownerId: OWNER.id });
  world.addBot({ applicationId: APPLICATION.id, token: TOKEN, userId: BOT_ID });
  world.addGuild(GUILD);
  world.addMember(GUILD.id, MEMBER.id, { permissions: 0n });
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
