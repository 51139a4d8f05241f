import { once } from 'node:events';
import { constants, inflateSync } from 'node:zlib';
import { Events, GatewayIntentBits, type Message } from 'discord.js';
import { GatewayOpcodes } from 'discord-api-types/v10';
import { Decompress } from 'fzstd';
import { expect } from 'vitest';
import {
  BOT_ID,
  CHANNEL,
  GUILD,
  IDENTIFY,
  MEMBER,
  rawClient,
  readyClient,
  sendableChannel,
  startBotSim,
  botTest as test,
} from '../testing/test-sim.ts';
import { zlibStreamEncoder, zstdStreamEncoder } from './compression.ts';

test('carries messages both ways', async ({ client, discord }) => {
  client.on(Events.MessageCreate, (message) => {
    if (!message.author.bot) void message.reply(`${message.content}, ${message.member?.id}`);
  });
  const said = discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'hello');
  const reply = await discord.messages.waitFor(({ authorId }) => authorId === BOT_ID);
  expect(reply).toMatchObject({ content: `hello, ${MEMBER.id}`, replyTo: said.id });
});

test('keeps content from a bot without the intent, unless it wrote or is mentioned', async ({ discord }) => {
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
  await using client = await readyClient(discord, { intents });
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'secret');
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, `<@${BOT_ID}> hi`);
  const channel = await sendableChannel(client);
  await Promise.all([channel.send('mine'), once(client, Events.MessageCreate)]);
  await expect.poll(() => heard).toStrictEqual(['', `<@${BOT_ID}> hi`, 'mine']);
});

test('gives each shard its own guilds', async ({ discord }) => {
  const other = { ...GUILD, id: String(BigInt(GUILD.id) + (1n << 22n)) };
  discord.world.addGuild(other);
  discord.world.addBotToGuild(other.id);
  await using client = await readyClient(discord, { shards: [0, 1], shardCount: 2 });
  const shardIds = new Map(client.guilds.cache.map(({ id, shardId }) => [id, shardId]));
  expect(shardIds.get(GUILD.id)).toBe(Number((BigInt(GUILD.id) >> 22n) % 2n));
  expect(shardIds.get(other.id)).toBe(Number((BigInt(other.id) >> 22n) % 2n));
  const shards = discord.gateway.sessions().map(({ shard }) => shard[0]);
  expect(shards.sort()).toStrictEqual([0, 1]);
});

test('tells of joining, renaming, an outage and a kick, each as what it is', async ({ client, discord }) => {
  const { world } = discord;
  const other = { ...GUILD, id: '1234567890123456700' };
  const heard: string[] = [];
  client.on(Events.GuildCreate, ({ id }) => heard.push(`join ${id}`));
  client.on(Events.GuildDelete, ({ id }) => heard.push(`kick ${id}`));
  client.on(Events.GuildUpdate, (_, { name }) => heard.push(`rename ${name}`));
  client.on(Events.GuildUnavailable, ({ id }) => heard.push(`outage ${id}`));
  client.on(Events.GuildAvailable, ({ id }) => heard.push(`back ${id}`));
  world.addGuild(other);
  world.addBotToGuild(other.id);
  world.updateGuild(other.id, { name: 'New' });
  world.setUnavailable(other.id, true);
  world.updateGuild(other.id, { name: 'Unheard' });
  world.setUnavailable(other.id, false);
  world.removeBotFromGuild(other.id);
  const expected = [`join ${other.id}`, 'rename New', `outage ${other.id}`, `back ${other.id}`, `kick ${other.id}`];
  await expect.poll(() => heard).toStrictEqual(expected);
});

test('tells of members, roles and channels', async ({ client, discord }) => {
  const { world } = discord;
  const heard: string[] = [];
  client.on(Events.GuildMemberAdd, ({ id }) => heard.push(`add ${id}`));
  client.on(Events.GuildMemberUpdate, (_, { nickname }) => heard.push(`nick ${nickname}`));
  client.on(Events.GuildMemberRemove, ({ id }) => heard.push(`remove ${id}`));
  client.on(Events.GuildRoleUpdate, (_, { permissions }) => heard.push(`role ${permissions.bitfield}`));
  client.on(Events.ChannelCreate, ({ name }) => heard.push(`channel ${name}`));
  client.on(Events.ChannelDelete, ({ id }) => heard.push(`gone ${id}`));
  client.on(Events.ThreadCreate, ({ parentId }) => heard.push(`thread in ${parentId}`));
  client.on(Events.ThreadDelete, ({ id }) => heard.push(`no thread ${id}`));
  const guest = { id: '1200000000000000007', username: 'guest' };
  const news = { id: '1300000000000000002', guildId: GUILD.id, name: 'news', type: 'announcement' } as const;
  const thread = { ...news, id: '1300000000000000003', type: 'thread', parentId: news.id } as const;
  world.addUser(guest);
  world.addMember(GUILD.id, guest.id, { permissions: 1n });
  world.setNickname(GUILD.id, guest.id, 'G');
  world.setPermissions(GUILD.id, guest.id, 32n);
  world.removeMember(GUILD.id, guest.id);
  world.addChannel(news);
  world.addChannel(thread);
  world.removeChannel(news.id);
  const ofMember = [`add ${guest.id}`, 'nick G', 'role 32', `remove ${guest.id}`];
  const ofChannels = ['channel news', `thread in ${news.id}`, `no thread ${thread.id}`, `gone ${news.id}`];
  await expect.poll(() => heard).toStrictEqual([...ofMember, ...ofChannels]);
});

test.each(['reconnectAll', 'dropAll'] as const)('%s: the client resumes and misses nothing', async (control) => {
  await using discord = await startBotSim();
  await using client = await readyClient(discord);
  const [session] = discord.gateway.sessions();
  const heard: string[] = [];
  client.on(Events.MessageCreate, ({ content }) => heard.push(content));
  const resumed = once(client, Events.ShardResume);
  discord.gateway[control]();
  await expect.poll(() => discord.gateway.sessions()[0]?.connected).toBe(false);
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'while you were away');
  await resumed;
  expect(discord.gateway.sessions()).toMatchObject([{ id: session?.id, connected: true }]);
  await expect.poll(() => heard).toStrictEqual(['while you were away']);
});

test('an invalid session that can be resumed is resumed, any other starts anew', async ({ client, discord }) => {
  const [first] = discord.gateway.sessions();
  const resumed = once(client, Events.ShardResume);
  discord.gateway.invalidateAll(true);
  await resumed;
  expect(discord.gateway.sessions()).toMatchObject([{ id: first?.id, connected: true }]);
  const ready = once(client, Events.ShardReady);
  discord.gateway.invalidateAll(false);
  await ready;
  const [second, ...others] = discord.gateway.sessions();
  expect(others).toStrictEqual([]);
  expect(second?.id).not.toBe(first?.id);
  const heard = once(client, Events.MessageCreate) as Promise<[Message]>;
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'still here');
  expect((await heard)[0].content).toBe('still here');
});

test('closes under connected clients', async () => {
  const discord = await startBotSim();
  await using client = await readyClient(discord);
  client.on(Events.ShardError, () => undefined);
  await discord.close();
});

const { Hello, Identify } = GatewayOpcodes;

/** Reads messages with one inflate context: each is the increment of the stream. */
function inflated(messages: readonly Buffer[]): unknown[] {
  let read = 0;
  return messages.map((_, index) => {
    const stream = Buffer.concat(messages.slice(0, index + 1));
    const text = inflateSync(stream, { finishFlush: constants.Z_SYNC_FLUSH });
    const frame: unknown = JSON.parse(String(text.subarray(read)));
    read = text.length;
    return frame;
  });
}

function unzstd(messages: readonly Buffer[]): unknown[] {
  let chunks: Uint8Array[] = [];
  const context = new Decompress((chunk) => chunks.push(chunk));
  return messages.map((message) => {
    chunks = [];
    context.push(new Uint8Array(message));
    return JSON.parse(String(Buffer.concat(chunks)));
  });
}

test.each([
  ['zlib-stream', inflated],
  ['zstd-stream', unzstd],
])('%s: all frames of a connection are one stream', async (compress, read) => {
  await using discord = await startBotSim();
  const client = await rawClient(discord, `/?v=10&encoding=json&compress=${compress}`);
  client.send(Identify, { ...IDENTIFY, compress: true });
  await expect.poll(() => client.binary.length).toBe(3);
  discord.people.sendMessage(MEMBER.id, CHANNEL.id, `<@${BOT_ID}> \u{1f600}`);
  await expect.poll(() => client.binary.length).toBe(4);
  expect(client.heard).toStrictEqual([]);
  const frames = read(client.binary);
  expect(frames).toMatchObject([
    { op: Hello },
    { t: 'READY' },
    { t: 'GUILD_CREATE' },
    { t: 'MESSAGE_CREATE', d: { content: `<@${BOT_ID}> \u{1f600}` } },
  ]);
});

test('zlib-stream: each message ends where the client has to look for its end', () => {
  const encode = zlibStreamEncoder();
  for (const frame of ['{"op":10}', '{"op":11}']) {
    expect(Buffer.from(encode(frame)).subarray(-4)).toStrictEqual(Buffer.from([0, 0, 0xff, 0xff]));
  }
});

test('zstd-stream: a frame can be longer than a block', () => {
  const encode = zstdStreamEncoder();
  const frames = ['a', '\u{1f600}'.repeat(40_000), 'b'.repeat(128 * 1_024), ''].map((content) => ({ content }));
  const messages = frames.map((frame) => Buffer.from(encode(JSON.stringify(frame))));
  expect(unzstd(messages)).toStrictEqual(frames);
});

test('compresses long frames by themselves for a client that asks for it in IDENTIFY', async ({ discord }) => {
  const client = await rawClient(discord);
  client.send(Identify, { ...IDENTIFY, compress: true });
  await expect.poll(() => client.binary.length).toBe(1);
  expect(client.heard).toMatchObject([{ op: Hello }, { t: 'READY' }]);
  expect(JSON.parse(String(inflateSync(client.binary[0] ?? '')))).toMatchObject({ t: 'GUILD_CREATE', s: 2 });
});
