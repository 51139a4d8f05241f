import { expect } from 'vitest';
import { asBot, CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { ask, place, send } from '../testing/chat-client.ts';
import { json, MEMBER, OWNER } from '../testing/populated-sim.ts';

const HERE = place(MEMBER, CHANNEL);

test('a message that was posted is in the world', async ({ discord }) => {
  const response = await send(discord, `${HERE}/messages`, { content: 'hello <b>' });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ content: 'hello <b>', author: { name: 'mika', bot: false } });
  expect(discord.messages.in(CHANNEL.id)).toMatchObject([{ content: 'hello <b>', authorId: MEMBER.id }]);
});

test('history comes in pages of 50, without what was deleted', async ({ discord }) => {
  for (let n = 1; n <= 60; n += 1) discord.people.sendMessage(OWNER.id, CHANNEL.id, String(n));
  type Page = { messages: { id: string; content: string }[]; more: boolean };
  const newest = await json<Page>(ask(discord, `${HERE}/messages`));
  expect(newest).toMatchObject({ more: true, messages: { length: 50, 0: { content: '11' } } });
  const oldest = newest.messages[0]?.id ?? '';
  expect(await json<Page>(ask(discord, `${HERE}/messages?before=${oldest}`))).toMatchObject({
    more: false,
    messages: { length: 10, 9: { content: '10' } },
  });
  const { id } = await json<{ id: string }>(
    asBot(discord, 'POST', `/channels/${CHANNEL.id}/messages`, { content: 'x' }),
  );
  await asBot(discord, 'DELETE', `/channels/${CHANNEL.id}/messages/${id}`);
  expect((await json<Page>(ask(discord, `${HERE}/messages`))).messages.at(-1)?.content).toBe('60');
});

test('a reply names what it replies to, and says when that is gone', async ({ discord }) => {
  const path = `/channels/${CHANNEL.id}/messages`;
  const first = await json<{ id: string }>(asBot(discord, 'POST', path, { content: 'first' }));
  await asBot(discord, 'POST', path, { content: 'second', message_reference: { message_id: first.id } });
  const replies = () => json(ask(discord, `${HERE}/messages`));
  expect(await replies()).toMatchObject({ messages: [{}, { replyTo: { name: 'Settings', content: 'first' } }] });
  await asBot(discord, 'DELETE', `${path}/${first.id}`);
  expect(await replies()).toMatchObject({ messages: [{ replyTo: { name: null, content: null } }] });
});

test.each([
  [{}, 'received nothing'],
  [{ content: 7 }, 'received 7'],
  [{ content: ' ' }, '1 characters'],
  [{ content: 'x'.repeat(2_001) }, '2001 characters'],
  [null, 'received nothing'],
])('refuses body %j', async (body, reason) => {
  await using discord = await startBotSim();
  const response = await send(discord, `${HERE}/messages`, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toStrictEqual({ message: expect.stringContaining(reason) });
});

test('a channel that cannot be seen is not there', async ({ discord }) => {
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': {} });
  for (const response of [ask(discord, `${HERE}/messages`), send(discord, `${HERE}/messages`, { content: 'x' })]) {
    expect((await response).status).toBe(404);
  }
});

test('what may not be written is refused with names instead of ids', async ({ discord }) => {
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': { allow: 0x400n } });
  const response = await send(discord, `${HERE}/messages`, { content: 'x' });
  expect(response.status).toBe(403);
  expect(await response.json()).toStrictEqual({ message: 'User mika may not do that in channel #general' });
});
