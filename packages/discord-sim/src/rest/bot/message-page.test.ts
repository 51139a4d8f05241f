import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscordSim } from '../../sim.ts';
import { asBot, CHANNEL, startBotSim } from '../../testing/bot-sim.ts';
import { MEMBER } from '../../testing/populated-sim.ts';

let discord: DiscordSim;
const ids: string[] = [];
beforeAll(async () => {
  discord = await startBotSim();
  for (let n = 0; n < 60; n += 1) ids.push(discord.people.sendMessage(MEMBER.id, CHANNEL.id, String(n)).id);
});
afterAll(() => discord.close());

async function contents(query: string): Promise<string[]> {
  const response = await asBot(discord, 'GET', `/channels/${CHANNEL.id}/messages?${query}`);
  return ((await response.json()) as { content: string }[]).map(({ content }) => content);
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

test.each([
  ['before=x', { before: 'NUMBER_TYPE_COERCE' }],
  ['limit=0', { limit: 'NUMBER_TYPE_MIN' }],
  ['limit=101', { limit: 'NUMBER_TYPE_MAX' }],
  ['after=yesterday&limit=many', { after: 'NUMBER_TYPE_COERCE', limit: 'NUMBER_TYPE_COERCE' }],
])('refuses %s', async (query, codes) => {
  const response = await asBot(discord, 'GET', `/channels/${CHANNEL.id}/messages?${query}`);
  const errors = Object.entries(codes).map(([field, code]) => [
    field,
    { _errors: [{ code, message: expect.any(String) }] },
  ]);
  expect(response.status).toBe(400);
  expect(await response.json()).toStrictEqual({
    code: 50035,
    message: 'Invalid Form Body',
    errors: Object.fromEntries(errors),
  });
});
