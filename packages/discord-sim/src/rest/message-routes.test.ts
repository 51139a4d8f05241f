import { MessageFlags, PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import {
  asBot,
  BOT_ID,
  CHANNEL,
  GUILD,
  json,
  MEMBER,
  outcome,
  readyClient,
  sendableChannel,
  startBotSim,
  botTest as test,
} from '../testing/test-sim.ts';
import { NONCE_WINDOW_MS } from '../world/messages.ts';

const { ViewChannel, SendMessages } = PermissionFlagsBits;
const MESSAGES = `/channels/${CHANNEL.id}/messages`;

test.for([
  { channel: 'unknown', id: '1399999999999999999', status: 404, code: 10003, deny: 0n },
  { channel: 'unseen', id: CHANNEL.id, status: 403, code: 50001, deny: ViewChannel },
  { channel: 'unwritable', id: CHANNEL.id, status: 403, code: 50013, deny: SendMessages },
])('refuses a message to an $channel channel', async ({ id, status, code, deny }, { discord }) => {
  discord.world.setChannelPermissions(CHANNEL.id, { [BOT_ID]: { deny } });
  expect(await outcome(asBot(discord, 'POST', `/channels/${id}/messages`, { content: 'hi' }))).toMatchObject([
    status,
    { code },
  ]);
});

test('answers a nonce that was used with the first message, for some minutes', async () => {
  let now = Date.now();
  await using discord = await startBotSim({ clock: () => now });
  const message = { content: 'due', nonce: 'r1', enforce_nonce: true };
  const send = () => json<{ id: string }>(asBot(discord, 'POST', MESSAGES, message));
  const first = await send();
  expect((await send()).id).toBe(first.id);
  expect(discord.messages.deliveriesOf('r1')).toBe(1);
  now += NONCE_WINDOW_MS;
  expect((await send()).id).not.toBe(first.id);
  expect(discord.messages.deliveriesOf('r1')).toBe(2);
});

test('refuses an empty message', async ({ discord }) => {
  expect(await outcome(asBot(discord, 'POST', MESSAGES, { content: ' ' }))).toMatchObject([400, { code: 50006 }]);
});

test('keeps embeds, replies and allowed mentions', async ({ discord }) => {
  const said = discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'hi');
  const [embeds, allowed] = [[{ title: 'E' }], { parse: [] }];
  const message = { content: `<@${MEMBER.id}>`, embeds, allowed_mentions: allowed };
  await asBot(discord, 'POST', MESSAGES, { ...message, message_reference: { message_id: said.id } });
  const kept = { embeds, mentions: [], allowedMentions: allowed, replyTo: said.id };
  expect(discord.messages.in(CHANNEL.id).at(-1)).toMatchObject(kept);
});

test('refuses a reply by a bot that may not read the message history', async ({ discord }) => {
  const { id } = discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'hi');
  discord.world.setChannelPermissions(CHANNEL.id, { [BOT_ID]: { deny: PermissionFlagsBits.ReadMessageHistory } });
  const reply = { content: 'hello', message_reference: { message_id: id, fail_if_not_exists: false } };
  expect(await outcome(asBot(discord, 'POST', MESSAGES, reply))).toMatchObject([403, { code: 160002 }]);
  expect((await asBot(discord, 'POST', MESSAGES, { content: 'hello' })).status).toBe(200);
});

test('lets a bot type, read, edit and delete, its own messages only', async ({ client, discord }) => {
  const channel = await sendableChannel(client);
  const said = discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'mine');
  await channel.sendTyping();
  const sent = await channel.send('one');
  await sent.edit('two');
  const read = await channel.messages.fetch({ limit: 10 });
  expect(read.map(({ content }) => content)).toStrictEqual(['two', 'mine']);
  await sent.delete();
  expect(discord.messages.in(CHANNEL.id)).toMatchObject([{ deleted: false }, { content: 'two', deleted: true }]);
  expect((await asBot(discord, 'PATCH', `${MESSAGES}/${said.id}`, { content: 'x' })).status).toBe(403);
  expect((await asBot(discord, 'DELETE', `${MESSAGES}/${said.id}`)).status).toBe(403);
  expect((await asBot(discord, 'DELETE', `${MESSAGES}/${sent.id}`)).status).toBe(404);
});

test('threads are written to by the permissions of their parent', async ({ discord }) => {
  const thread = { ...CHANNEL, id: '1300000000000000003', type: 'thread', parentId: CHANNEL.id } as const;
  discord.world.addChannel(thread);
  await using client = await readyClient(discord);
  const channel = await sendableChannel(client, thread.id);
  await channel.send('in here');
  expect(discord.messages.in(thread.id)).toMatchObject([{ content: 'in here' }]);
  discord.world.setChannelPermissions(CHANNEL.id, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessagesInThreads } });
  await expect(channel.send('not any more')).rejects.toMatchObject({ code: 50013 });
});

let discord: DiscordSim;
const ids: string[] = [];
beforeAll(async () => {
  discord = await startBotSim();
  for (let n = 0; n < 60; n += 1) ids.push(discord.people.sendMessage(MEMBER.id, CHANNEL.id, String(n)).id);
});
afterAll(() => discord.close());

async function contents(query: string): Promise<string[]> {
  const page = await json<{ content: string }[]>(asBot(discord, 'GET', `${MESSAGES}?${query}`));
  return page.map(({ content }) => content);
}

test('lists the last 50 messages, newest first, unless a page is asked for', async () => {
  const last = await contents('');
  expect([last.length, last.at(0), last.at(-1)]).toStrictEqual([50, '59', '10']);
});

test.each([
  ['before', 10, ['9', '8', '7']],
  ['after', 10, ['13', '12', '11']],
  ['around', 10, ['11', '10', '9']],
  ['before', 1, ['0']],
  ['after', 59, []],
  ['around', 0, ['2', '1', '0']],
])('lists messages %s a message', async (parameter, index, expected) => {
  expect(await contents(`${parameter}=${ids[index]}&limit=3`)).toStrictEqual(expected);
});

const NEWS = '1300000000000000021';

test('a message of an announcement channel alone is published, and once', async ({ client, discord }) => {
  const { world, messages } = discord;
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  const sent = await (await sendableChannel(client, NEWS)).send('news');
  expect((await sent.crosspost()).flags.has(MessageFlags.Crossposted)).toBe(true);
  expect(messages.in(NEWS)).toMatchObject([{ content: 'news', flags: MessageFlags.Crossposted }]);
  await expect(sent.crosspost()).rejects.toMatchObject({ code: 40033 });

  const other = await (await sendableChannel(client)).send('chat');
  const path = `/channels/${CHANNEL.id}/messages/${other.id}/crosspost`;
  expect(await (await asBot(discord, 'POST', path)).json()).toMatchObject({ code: 50024 });
  const unknown = await asBot(discord, 'POST', `/channels/${NEWS}/messages/${other.id}/crosspost`);
  expect(await unknown.json()).toMatchObject({ code: 10008 });
  world.setChannelPermissions(NEWS, { [BOT_ID]: { deny: PermissionFlagsBits.SendMessages } });
  await expect(sent.crosspost()).rejects.toMatchObject({ code: 50013 });
});

const open = (recipient_id: string) => ({ recipient_id });

test('a bot sends messages to a user whom it shares a guild with, in one channel', async ({ client, discord }) => {
  const user = await client.users.fetch(MEMBER.id);
  expect((await user.send('hello')).content).toBe('hello');
  await user.send({ content: 'again', nonce: 'n1', enforceNonce: true });
  expect(discord.world.direct.to(MEMBER.id)).toMatchObject([{ content: 'hello' }, { content: 'again', nonce: 'n1' }]);
  const first = await json<{ id: string }>(asBot(discord, 'POST', '/users/@me/channels', open(MEMBER.id)));
  const second = await json<{ id: string }>(asBot(discord, 'POST', '/users/@me/channels', open(MEMBER.id)));
  expect(second.id).toBe(first.id);
});

test('a bot sends none to others', async ({ discord }) => {
  const { world } = discord;
  world.addUser({ id: '1200000000000000077', username: 'elsewhere' });
  const { id } = await json<{ id: string }>(asBot(discord, 'POST', '/users/@me/channels', open('1200000000000000077')));
  expect(await outcome(asBot(discord, 'POST', `/channels/${id}/messages`, { content: 'hi' }))).toMatchObject([
    403,
    { code: 50007 },
  ]);
  expect(await outcome(asBot(discord, 'POST', '/users/@me/channels', open('1200000000000000078')))).toMatchObject([
    404,
    { code: 10013 },
  ]);
});
