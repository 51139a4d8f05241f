import { expect } from 'vitest';
import { asBot, CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { ask, listen, place } from '../testing/chat-client.ts';
import { GUILD, json, MEMBER, OWNER } from '../testing/populated-sim.ts';

const HERE = place(MEMBER, CHANNEL);
const MESSAGES = `/channels/${CHANNEL.id}/messages`;

test('a stream begins with history and goes on with what is written, edited and deleted', async ({ discord }) => {
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'before');
  using stream = await listen(discord, HERE);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await stream.next()).toMatchObject({ event: 'history', data: { messages: [{ content: 'before' }] } });
  const { id } = await json<{ id: string }>(asBot(discord, 'POST', MESSAGES, { content: 'one' }));
  await asBot(discord, 'PATCH', `${MESSAGES}/${id}`, { content: 'two' });
  await asBot(discord, 'DELETE', `${MESSAGES}/${id}`);
  expect(await stream.next()).toMatchObject({ event: 'message', data: { id, content: 'one', editedAt: null } });
  expect(await stream.next()).toMatchObject({
    event: 'message',
    data: { content: 'two', editedAt: expect.any(Number) },
  });
  expect(await stream.next()).toStrictEqual({ event: 'deleted', data: { id } });
});

test('a stream is silent about other channels, and about its own once it cannot be seen', async ({ discord }) => {
  const other = { id: '1300000000000000002', guildId: GUILD.id, name: 'other' };
  discord.world.addChannel(other);
  using stream = await listen(discord, HERE);
  discord.people.sendMessage(OWNER.id, other.id, 'elsewhere');
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': {} });
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'hidden');
  discord.world.setChannelPermissions(CHANNEL.id, {});
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'seen again');
  const events = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
  expect(events.map(({ event }) => event)).toStrictEqual(['history', 'places', 'places', 'message']);
  expect(events.at(-1)).toMatchObject({ data: { content: 'seen again' } });
});

test('a stream outlives its channel and its place in the guild, and a request for its head opens none', async ({
  discord,
}) => {
  expect((await fetch(`${discord.chatUrl}${HERE}/stream`, { method: 'HEAD' })).status).toBe(404);
  using stream = await listen(discord, HERE);
  discord.world.removeMember(GUILD.id, MEMBER.id);
  discord.world.removeChannel(CHANNEL.id);
  expect(await stream.next(({ event }) => event === 'places')).toMatchObject({ data: { guildId: GUILD.id } });
  expect((await ask(discord, `${HERE}/stream`)).status).toBe(404);
});

test('closing the simulator ends the streams', async () => {
  const discord = await startBotSim();
  using stream = await listen(discord, HERE);
  await stream.next();
  await discord.close();
  await expect(stream.next()).rejects.toThrow();
});

test('a reader that leaves a megabyte unread is cut off', async ({ discord }) => {
  using stream = await listen(discord, HERE);
  await stream.next();
  for (let n = 0; n < 700; n += 1) discord.people.sendMessage(OWNER.id, CHANNEL.id, 'x'.repeat(2_000));
  await expect(stream.next(() => false)).rejects.toThrow();
  using again = await listen(discord, HERE);
  expect(await again.next()).toMatchObject({ data: { messages: { length: 50 } } });
});
