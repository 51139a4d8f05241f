import { once } from 'node:events';
import { connect } from 'node:net';
import { waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startDiscordSim } from './sim.ts';
import { get, memberToken, startPopulatedSim } from './testing/populated-sim.ts';

test('listens on a free port of the loopback', async () => {
  await using one = await startDiscordSim();
  await using two = await startDiscordSim();
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(one.apiUrl).toBe(`${one.url}/api/v10`);
  expect(two.url).not.toBe(one.url);
});

test('says when the port is taken', async () => {
  await using discord = await startDiscordSim();
  const port = Number(new URL(discord.url).port);
  await expect(startDiscordSim({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('closes, also again, in spite of hanging, delayed, idle and silent connections', async () => {
  const discord = await startPopulatedSim();
  await get(discord, '/users/@me', memberToken(discord));
  discord.faults.set({ kind: 'hang' }, { path: '/users/@me/guilds' });
  discord.faults.set({ kind: 'latency', ms: 86_400_000 }, { path: '/oauth2/@me' });
  const pending = Promise.allSettled([get(discord, '/users/@me/guilds'), get(discord, '/oauth2/@me')]);
  const silent = connect(Number(new URL(discord.url).port), '127.0.0.1');
  await once(silent, 'connect');
  await waitUntil(() => discord.calls.count() === 3);
  await discord.close();
  await discord.close();
  expect((await pending).map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
  await expect(fetch(discord.url)).rejects.toThrow();
  silent.destroy();
});
