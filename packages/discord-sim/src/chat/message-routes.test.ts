import { expect } from 'vitest';
import { asBot, CHANNEL, test } from '../testing/bot-sim.ts';
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

test('refuses a message without content, and of none or too many characters', async ({ discord }) => {
  for (const [body, reason] of [
    [{}, 'received nothing'],
    [{ content: 7 }, 'received 7'],
    [{ content: ' ' }, '1 characters'],
    [{ content: 'x'.repeat(2_001) }, '2001 characters'],
    [null, 'received nothing'],
  ] as const) {
    const response = await send(discord, `${HERE}/messages`, body);
    const refusal = { message: expect.stringContaining(reason) };
    expect([response.status, await response.json()]).toStrictEqual([400, refusal]);
  }
});

test('a channel that cannot be seen is not there, and one that cannot be written to is named', async ({ discord }) => {
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': {} });
  for (const response of [ask(discord, `${HERE}/messages`), send(discord, `${HERE}/messages`, { content: 'x' })]) {
    expect((await response).status).toBe(404);
  }
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': { allow: 0x400n } });
  const response = await send(discord, `${HERE}/messages`, { content: 'x' });
  const refusal = { message: 'User mika may not do that in channel #general' };
  expect([response.status, await response.json()]).toStrictEqual([403, refusal]);
});
