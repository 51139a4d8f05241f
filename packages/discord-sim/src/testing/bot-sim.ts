import { once } from 'node:events';
import {
  type ApplicationCommandDataResolvable,
  type ChatInputCommandInteraction,
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  type SendableChannels,
} from 'discord.js';
import type { DiscordSim, DiscordSimOptions } from '../sim.ts';
import { APPLICATION, GUILD, startPopulatedSim, testOf } from './populated-sim.ts';

export const BOT_TOKEN = 'token-of-the-bot';
export const BOT_ID = '1100000000000000009';
export const CHANNEL = { id: '1300000000000000001', guildId: GUILD.id, name: 'general' };
const ALL_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMembers,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
];

/** Starts the populated simulator with a channel and a bot in the guild. */
export async function startBotSim(options: DiscordSimOptions = {}): Promise<DiscordSim> {
  const discord = await startPopulatedSim(options);
  discord.world.addBot({ applicationId: APPLICATION.id, token: BOT_TOKEN, userId: BOT_ID });
  discord.world.addBotToGuild(GUILD.id);
  discord.world.addChannel(CHANNEL);
  return discord;
}

/** A discord.js client that is destroyed at the end of its scope. */
export type ScopedClient = Client<true> & AsyncDisposable;

/** Creates a discord.js client for the simulator, not logged in, which identifies without delay. */
export function newClient({ url }: DiscordSim, options: Partial<ClientOptions> = {}): Client & AsyncDisposable {
  const client = new Client({
    intents: ALL_INTENTS,
    ...options,
    rest: { api: `${url}/api` },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
  });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.destroy() });
}

/** Returns a ready discord.js client. */
export async function readyClient(discord: DiscordSim, options: Partial<ClientOptions> = {}): Promise<ScopedClient> {
  const client = newClient(discord, options);
  const ready = once(client, 'clientReady');
  await client.login(BOT_TOKEN);
  await ready;
  if (!client.isReady()) throw new Error('Expected a ready client');
  return client as ScopedClient;
}

/** A test with a simulator of a bot, and with a ready `client` of it. */
export const test = testOf(startBotSim).extend<{ client: ScopedClient }>({
  client: async ({ discord }, use) => {
    await using client = await readyClient(discord);
    await use(client);
  },
});

/** Returns a channel that the bot may write to. */
export async function sendableChannel(client: Client, id = CHANNEL.id): Promise<SendableChannels> {
  const channel = await client.channels.fetch(id);
  if (!channel?.isSendable()) throw new Error('Expected a channel that the bot may write to');
  return channel;
}

/** Returns a message with a row of buttons, each with its id for a label. */
export function withButtons(...ids: readonly string[]) {
  const components = ids.map((id) => ({ type: 2 as const, style: 1 as const, label: id, custom_id: id }));
  return { components: [{ type: 1 as const, components }] };
}

/** Registers commands, and answers each use of one. */
export async function answerCommands(
  client: ScopedClient,
  commands: readonly ApplicationCommandDataResolvable[],
  answer: (interaction: ChatInputCommandInteraction) => Promise<unknown>,
): Promise<void> {
  await client.application.commands.set(commands);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void answer(interaction);
  });
}

/** Calls the API as the bot. */
export function asBot({ apiUrl }: DiscordSim, method: string, path: string, body?: unknown): Promise<Response> {
  const authorization = `Bot ${BOT_TOKEN}`;
  if (body === undefined) return fetch(`${apiUrl}${path}`, { method, headers: { authorization } });
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) });
}

/** Returns a promise, and what resolves it. */
export function pending<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
