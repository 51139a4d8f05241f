import { once } from 'node:events';
import { waitUntil } from '@guild-settings/testing';
import {
  type ApplicationCommandDataResolvable,
  type ChatInputCommandInteraction,
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  type SendableChannels,
} from 'discord.js';
import { GatewayOpcodes } from 'discord-api-types/v10';
import { test as base } from 'vitest';
import { WebSocket } from 'ws';
import { type DiscordSim, type DiscordSimOptions, startDiscordSim } from '../sim.ts';
import type { Scope } from '../world/tokens.ts';

export const APPLICATION = { id: '1100000000000000001', clientSecret: 's3cret:with:colons', name: 'Settings' };
export const OTHER_APPLICATION = { id: '1100000000000000002', clientSecret: 'another' };
export const OWNER = { id: '1200000000000000001', username: 'olga', globalName: 'Olga' };
export const MEMBER = { id: '1200000000000000002', username: 'mika' };
/** Beyond 2^53, where a double would round the last digits. */
export const GUILD = { id: '1234567890123456789', name: 'Ünïcode', icon: 'a1b2c3', ownerId: OWNER.id };
export const REDIRECT_URI = 'https://dashboard.example/callback';

/** Starts a simulator with two applications, and a guild with an owner and a member. */
export async function startPopulatedSim(options: DiscordSimOptions = {}): Promise<DiscordSim> {
  const discord = await startDiscordSim(options);
  const { world } = discord;
  world.addUser(OWNER);
  world.addUser(MEMBER);
  world.addApplication({ ...APPLICATION, ownerId: OWNER.id, redirectUris: [REDIRECT_URI] });
  world.addApplication(OTHER_APPLICATION);
  world.addGuild(GUILD);
  world.addMember(GUILD.id, MEMBER.id, { permissions: 0n });
  return discord;
}

/** Returns a `test` with its own simulator as `discord`. */
export function testOf(start: () => Promise<DiscordSim>) {
  return base.extend<{ discord: DiscordSim }>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
    discord: async ({}, use) => {
      await using discord = await start();
      await use(discord);
    },
  });
}

export const test = testOf(startPopulatedSim);

export function memberToken({ world }: DiscordSim, scopes: readonly Scope[] = ['identify', 'guilds']): string {
  return world.issueUserToken({ userId: MEMBER.id, applicationId: APPLICATION.id, scopes }).accessToken;
}

export function get({ apiUrl }: DiscordSim, path: string, token?: string): Promise<Response> {
  return fetch(`${apiUrl}${path}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
}

export async function json<Body>(response: Promise<Response>): Promise<Body> {
  return (await response).json() as Promise<Body>;
}

export async function outcome(response: Promise<Response>): Promise<[status: number, body: unknown]> {
  const { status } = await response;
  return [status, await (await response).json()];
}

/** Returns the status of a response, and the errors of its form as `path: CODE`. */
export async function errorsOf(response: Promise<Response>): Promise<[status: number, ...errors: string[]]> {
  const { status } = await response;
  const { errors } = await json<{ errors?: unknown }>(response);
  return [status, ...flattened(errors)];
}

function flattened(tree: unknown, path: readonly string[] = []): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    key === '_errors' && Array.isArray(value)
      ? value.map(({ code }) => `${path.join('.')}: ${code}`)
      : flattened(value, [...path, key]),
  );
}

/** Posts a form, with HTTP Basic if `client` is given. */
export function postForm(
  { apiUrl }: DiscordSim,
  path: string,
  form: Readonly<Record<string, string>>,
  client?: { readonly id: string; readonly clientSecret: string },
): Promise<Response> {
  const basic = client && Buffer.from(`${client.id}:${client.clientSecret}`).toString('base64');
  return fetch(`${apiUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: basic === undefined ? {} : { authorization: `Basic ${basic}` },
  });
}

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

export type ScopedClient = Client<true> & AsyncDisposable;

/** Creates a discord.js client for the simulator that is not logged in, and identifies without delay. */
function newClient({ url }: DiscordSim, options: Partial<ClientOptions> = {}): Client & AsyncDisposable {
  const client = new Client({
    intents: ALL_INTENTS,
    ...options,
    rest: { api: `${url}/api` },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
  });
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.destroy() });
}

export async function readyClient(discord: DiscordSim, options: Partial<ClientOptions> = {}): Promise<ScopedClient> {
  const client = newClient(discord, options);
  const ready = once(client, 'clientReady');
  await client.login(BOT_TOKEN);
  await ready;
  if (!client.isReady()) throw new Error('Expected a ready client');
  return client as ScopedClient;
}

export const botTest = testOf(startBotSim).extend<{ client: ScopedClient }>({
  client: async ({ discord }, use) => {
    await using client = await readyClient(discord);
    await use(client);
  },
});

export async function sendableChannel(client: Client, id = CHANNEL.id): Promise<SendableChannels> {
  const channel = await client.channels.fetch(id);
  if (!channel?.isSendable()) throw new Error('Expected a channel that the bot may write to');
  return channel;
}

export function withButtons(...ids: readonly string[]) {
  const components = ids.map((id) => ({ type: 2 as const, style: 1 as const, label: id, custom_id: id }));
  return { components: [{ type: 1 as const, components }] };
}

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

export function asBot({ apiUrl }: DiscordSim, method: string, path: string, body?: unknown): Promise<Response> {
  const authorization = `Bot ${BOT_TOKEN}`;
  if (body === undefined) return fetch(`${apiUrl}${path}`, { method, headers: { authorization } });
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${apiUrl}${path}`, { method, headers, body: JSON.stringify(body) });
}

/** The smallest IDENTIFY that Discord accepts, with intents for guilds and messages. */
export const IDENTIFY = {
  token: BOT_TOKEN,
  intents: GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages,
  properties: {},
};

export interface ReceivedFrame {
  readonly op: number;
  readonly t: string | null;
  readonly s: number | null;
  readonly d: unknown;
}

/** Connects a client that implements the protocol by hand, waits for HELLO, and keeps the received frames. */
export async function rawClient({ url }: DiscordSim, pathAndQuery = '/gateway?v=10&encoding=json') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${pathAndQuery}`);
  const heard: ReceivedFrame[] = [];
  const binary: Buffer[] = [];
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) binary.push(data);
    else heard.push(JSON.parse(String(data)));
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  await Promise.race([once(socket, 'message'), closed]);
  return {
    heard,
    binary,
    /** The code and reason of the closed connection. */
    closed,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendText: (text: string) => socket.send(text),
    close: (code?: number) => socket.close(code),
    events: () => heard.flatMap(({ t }) => (t === null ? [] : [t])),
  };
}

/** Connects a client that identifies, with a part of the IDENTIFY changed, and waits for READY and a guild. */
export async function identifiedClient(discord: DiscordSim, change: object = {}) {
  const client = await rawClient(discord);
  client.send(GatewayOpcodes.Identify, { ...IDENTIFY, ...change });
  await waitUntil(() => client.events().length === 2);
  return client;
}
