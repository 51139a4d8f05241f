import { expect } from 'vitest';
import { CallLog } from './call-log.ts';
import { get, memberToken, startPopulatedSim, test } from './testing/test-sim.ts';

test('counts calls by method and path, whatever the answer, until they are reset', async ({ discord }) => {
  await get(discord, '/users/@me');
  await get(discord, '/users/@me?x=1', memberToken(discord));
  await fetch(`${discord.apiUrl}/users/@me`, { method: 'POST' });
  await get(discord, '/nowhere');
  expect(discord.calls.count()).toBe(4);
  expect(discord.calls.count({ path: '/users/@me' })).toBe(3);
  expect(discord.calls.count({ method: 'GET' })).toBe(3);
  expect(discord.calls.count({ method: 'POST', path: '/users/@me' })).toBe(1);
  discord.calls.reset();
  expect([discord.calls.count(), discord.calls.list()]).toStrictEqual([0, []]);
});

test('lists calls with status and time, and no token', async () => {
  const now = 1_700_000_000_000;
  await using discord = await startPopulatedSim({ clock: () => now });
  const token = memberToken(discord);
  await get(discord, `/users/@me?access_token=${token}`, token);
  await get(discord, '/users/@me', 'wrong-token');
  expect(discord.calls.list()).toStrictEqual([
    { method: 'GET', path: '/users/@me', status: 200, at: now },
    { method: 'GET', path: '/users/@me', status: 401, at: now },
  ]);
});

test('keeps the last 10,000 calls and every count', () => {
  const log = new CallLog(() => 0);
  for (let n = 0; n < 25_000; n += 1) log.enter('GET', `/${n % 20_000}`)(200);
  const paths = log.list().map(({ path }) => path);
  expect(paths).toHaveLength(10_000);
  expect([paths.at(0), paths.at(-1)]).toStrictEqual(['/15000', '/4999']);
  expect(log.count()).toBe(25_000);
  expect(log.count({ method: 'GET' })).toBe(25_000);
  expect(log.count({ path: '/0' })).toBe(2);
});
