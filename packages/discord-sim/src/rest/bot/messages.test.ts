import { PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import { asBot, BOT_ID, CHANNEL, readyClient, sendableChannel, startBotSim, test } from '../../testing/bot-sim.ts';
import { GUILD, json, MEMBER } from '../../testing/populated-sim.ts';
import { NONCE_WINDOW_MS } from '../../world/messages.ts';

const { ViewChannel, SendMessages } = PermissionFlagsBits;
const MESSAGES = `/channels/${CHANNEL.id}/messages`;

test.for([
  { channel: 'unknown', id: '1399999999999999999', status: 404, code: 10003, deny: 0n },
  { channel: 'unseen', id: CHANNEL.id, status: 403, code: 50001, deny: ViewChannel },
  { channel: 'unwritable', id: CHANNEL.id, status: 403, code: 50013, deny: SendMessages },
])('refuses a message to an $channel channel', async ({ id, status, code, deny }, { discord }) => {
  discord.world.setChannelPermissions(CHANNEL.id, { [BOT_ID]: { deny } });
  const response = await asBot(discord, 'POST', `/channels/${id}/messages`, { content: 'hi' });
  expect([response.status, await response.json()]).toMatchObject([status, { code }]);
});

test('discord.js computes the permissions the routes go by', async ({ discord }) => {
  const permissions = { [BOT_ID]: { deny: SendMessages } };
  discord.world.addChannel({ ...CHANNEL, id: '1300000000000000002', name: 'quiet', permissions });
  await using client = await readyClient(discord);
  const me = await (await client.guilds.fetch(GUILD.id)).members.fetchMe();
  const channel = await sendableChannel(client, '1300000000000000002');
  if (channel.isDMBased()) throw new Error('Not a guild channel');
  expect(channel.permissionsFor(me).has(ViewChannel)).toBe(true);
  expect(channel.permissionsFor(me).has(SendMessages)).toBe(false);
  await expect(channel.send('hi')).rejects.toMatchObject({ code: 50013 });
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
  const response = await asBot(discord, 'POST', MESSAGES, { content: ' ' });
  expect([response.status, await response.json()]).toMatchObject([400, { code: 50006 }]);
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
  const response = await asBot(discord, 'POST', MESSAGES, reply);
  expect([response.status, await response.json()]).toMatchObject([403, { code: 160002 }]);
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
