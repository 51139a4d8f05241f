import { Client, GatewayDispatchEvents, InteractionType } from '@discordjs/core';
import { REST } from '@discordjs/rest';
import { CompressionMethod, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { GatewayIntentBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import type { DiscordSim } from '../src/sim.ts';
import { BOT_ID, BOT_TOKEN, CHANNEL, test } from '../src/testing/bot-sim.ts';
import { APPLICATION, GUILD, MEMBER, OWNER } from '../src/testing/populated-sim.ts';

const TEXT = { type: 3 as const, name: 'text', description: 'The text', required: true };

const COMMANDS = [
  { type: 1 as const, name: 'echo', description: 'Replies with a text', options: [TEXT] },
  { type: 1 as const, name: 'later', description: 'Defers, then replies with a text twice', options: [TEXT] },
];

/**
 * A connected bot of another library than the bot's. It replies to each message of a user with `heard <content>`, and to the
 * command `echo` with the value of its option. The command `later` it defers; then it edits the response to be the value, and
 * follows up with `<value> again`.
 */
interface LibraryBot extends AsyncDisposable {
  /** The guild as the library has it; `null` when it has not received it. */
  guild(id: string): { readonly name: string; readonly channels: readonly string[] } | null;
  /** The number of acknowledged heartbeats, or the time of the last one. */
  heartbeats(): number;
  /** Registers the commands by the library's REST client. */
  register(): Promise<void>;
  /** Requests a user who is not in any cache. */
  userName(id: string): Promise<string>;
}

/** The library pauses before it connects again. */
const WAIT = { timeoutMs: 15_000 };

const { Guilds, GuildMembers, GuildMessages, MessageContent } = GatewayIntentBits;

/** Starts a bot with the intents for guilds, members, messages and their content, and resolves once it is ready. */
async function startBot({ url }: DiscordSim): Promise<LibraryBot> {
  const rest = new REST({ api: `${url}/api` }).setToken(BOT_TOKEN);
  const gateway = new WebSocketManager({
    token: BOT_TOKEN,
    intents: Guilds | GuildMembers | GuildMessages | MessageContent,
    rest,
    compression: CompressionMethod.ZlibNative,
    buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }),
  });
  const client = new Client({ rest, gateway });
  const guilds = new Map<string, { readonly name: string; readonly channels: readonly string[] }>();
  let heartbeats = 0;
  gateway.on(WebSocketShardEvents.HeartbeatComplete, () => (heartbeats += 1));
  client.on(GatewayDispatchEvents.GuildCreate, ({ data: { id, name, channels } }) => {
    guilds.set(id, { name, channels: channels.map((channel) => channel.name ?? '') });
  });
  client.on(GatewayDispatchEvents.MessageCreate, async ({ api, data: { author, channel_id, content } }) => {
    if (author.id !== BOT_ID) await api.channels.createMessage(channel_id, { content: `heard ${content}` });
  });
  client.on(GatewayDispatchEvents.InteractionCreate, async ({ api, data }) => {
    if (data.type !== InteractionType.ApplicationCommand || !('options' in data.data)) return;
    const [option] = data.data.options ?? [];
    const content = option && 'value' in option ? String(option.value) : '';
    if (data.data.name === 'echo') return void (await api.interactions.reply(data.id, data.token, { content }));
    await api.interactions.defer(data.id, data.token);
    await api.interactions.editReply(data.application_id, data.token, { content });
    await api.interactions.followUp(data.application_id, data.token, { content: `${content} again` });
  });
  const ready = new Promise((resolve) => void client.once(GatewayDispatchEvents.Ready, resolve));
  await gateway.connect();
  await ready;
  return {
    guild: (id) => guilds.get(id) ?? null,
    heartbeats: () => heartbeats,
    register: async () =>
      void (await client.api.applicationCommands.bulkOverwriteGlobalCommands(APPLICATION.id, COMMANDS)),
    userName: async (id) => (await client.api.users.get(id)).username,
    [Symbol.asyncDispose]: async () => {
      await gateway.destroy();
    },
  };
}

/** Says something as a user, and resolves with the bot's reply. */
async function converse(discord: DiscordSim, content: string): Promise<string> {
  const said = discord.people.sendMessage(MEMBER.id, CHANNEL.id, content);
  const reply = await discord.messages.waitFor(({ authorId }) => authorId === BOT_ID, {
    after: said.id,
    ...WAIT,
  });
  return reply.content;
}

test('connects, receives its guild, and sends heartbeats', async ({ discord }) => {
  await using bot = await startBot(discord);
  await expect.poll(() => bot.guild(GUILD.id)).toStrictEqual({ name: GUILD.name, channels: [CHANNEL.name] });
  discord.gateway.requestHeartbeats();
  await expect.poll(bot.heartbeats).toBeGreaterThan(0);
  expect(await bot.userName(OWNER.id)).toBe(OWNER.username);
});

test('receives messages, and answers them and commands, also later', async ({ discord }) => {
  await using bot = await startBot(discord);
  expect(await converse(discord, 'tea')).toBe('heard tea');
  await bot.register();
  const { content } = await discord.people.slash(MEMBER.id, CHANNEL.id, 'echo', { text: 'coffee' }).reply(WAIT);
  expect(content).toBe('coffee');
  const later = discord.people.slash(MEMBER.id, CHANNEL.id, 'later', { text: 'milk' });
  const contents = () => later.messages().map((message) => message.content);
  await expect.poll(contents, { timeout: WAIT.timeoutMs }).toStrictEqual(['milk', 'milk again']);
});

test('resumes after its connection broke, and receives what it missed', async ({ discord }) => {
  await using _bot = await startBot(discord);
  const [before] = discord.gateway.sessions();
  discord.gateway.dropAll();
  expect(await converse(discord, 'while you were away')).toBe('heard while you were away');
  expect(discord.gateway.sessions()).toMatchObject([{ id: before?.id, connected: true }]);
});

test('resumes when it is told to reconnect', async ({ discord }) => {
  await using _bot = await startBot(discord);
  const [before] = discord.gateway.sessions();
  discord.gateway.reconnectAll();
  // RESUMED is an event of its own.
  const resumed = { id: before?.id, connected: true, sequence: Number(before?.sequence) + 1 };
  await expect.poll(() => discord.gateway.sessions(), { timeout: WAIT.timeoutMs }).toMatchObject([resumed]);
  expect(await converse(discord, 'back')).toBe('heard back');
});

test('starts a new session when its own is invalid', async ({ discord }) => {
  await using _bot = await startBot(discord);
  const [before] = discord.gateway.sessions();
  discord.gateway.invalidateAll(false);
  await expect.poll(() => discord.gateway.sessions(), { timeout: WAIT.timeoutMs }).toMatchObject([{ connected: true }]);
  expect(discord.gateway.sessions()[0]?.id).not.toBe(before?.id);
  expect(await converse(discord, 'again')).toBe('heard again');
});
