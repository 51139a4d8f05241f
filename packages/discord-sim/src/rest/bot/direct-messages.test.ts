import { expect } from 'vitest';
import { asBot, test } from '../../testing/bot-sim.ts';
import { json, MEMBER } from '../../testing/populated-sim.ts';

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
  const refused = await asBot(discord, 'POST', `/channels/${id}/messages`, { content: 'hi' });
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 50007 }]);
  const unknown = await asBot(discord, 'POST', '/users/@me/channels', open('1200000000000000078'));
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 10013 }]);
});
