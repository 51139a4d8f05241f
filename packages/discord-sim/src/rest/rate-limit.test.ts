import { expect } from 'vitest';
import {
  asBot,
  CHANNEL,
  GUILD,
  get,
  memberToken,
  OTHER_APPLICATION,
  startBotSim,
  startPopulatedSim,
  botTest as test,
} from '../testing/test-sim.ts';

const NOW = 1_700_000_000_000;
const OTHER = { ...CHANNEL, id: '1300000000000000002', name: 'other' };

test('describes the bucket on every answer', async () => {
  await using discord = await startPopulatedSim({ clock: () => NOW, rateLimit: { limit: 5, windowMs: 1500 } });
  for (const [path, token] of [['/users/@me', memberToken(discord)], ['/users/@me'], ['/nowhere']] as const) {
    expect(Object.fromEntries((await get(discord, path, token)).headers)).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': '1700000001.500',
      'x-ratelimit-reset-after': '1.500',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  }
});

test('refuses calls above the limit until the window ends', async () => {
  let now = NOW;
  await using discord = await startPopulatedSim({ clock: () => now, rateLimit: { limit: 2, windowMs: 1500 } });
  const token = memberToken(discord);
  const call = () => get(discord, '/users/@me', token);
  expect([(await call()).status, (await call()).status]).toStrictEqual([200, 200]);
  const limited = await call();
  const headers = { 'retry-after': '2', 'x-ratelimit-scope': 'user', 'x-ratelimit-remaining': '0' };
  expect(Object.fromEntries(limited.headers)).toMatchObject(headers);
  expect(limited.headers.has('x-ratelimit-global')).toBe(false);
  const refusal = { message: 'You are being rate limited.', code: 0, retry_after: 1.5, global: false };
  expect([limited.status, await limited.json()]).toStrictEqual([429, refusal]);
  now += 1500;
  expect((await call()).status).toBe(200);
});

test('every token and every route has its own bucket, bad tokens share that of their address', async () => {
  await using discord = await startPopulatedSim({ clock: () => NOW, rateLimit: { limit: 1, windowMs: 1000 } });
  const [one, two] = [memberToken(discord), memberToken(discord)];
  const status = async (path: string, token: string) => (await get(discord, path, token)).status;
  expect([await status('/users/@me', one), await status('/users/@me', two)]).toStrictEqual([200, 200]);
  expect(await status('/users/@me/guilds', one)).toBe(200);
  expect([await status('/users/@me', 'bad-one'), await status('/users/@me', 'bad-two')]).toStrictEqual([401, 429]);
});

test('every bot, and every channel and guild of its calls, has its own bucket', async () => {
  await using discord = await startBotSim({ clock: () => NOW, rateLimit: { limit: 1, windowMs: 1000 } });
  const { world } = discord;
  world.addChannel(OTHER);
  world.addBot({ applicationId: OTHER_APPLICATION.id, token: 'token-of-another-bot' });
  world.addBotToGuild(GUILD.id, { applicationId: OTHER_APPLICATION.id });
  const status = async (path: string) => (await asBot(discord, 'GET', path)).status;
  expect(await status(`/channels/${CHANNEL.id}`)).toBe(200);
  expect(await status(`/channels/${OTHER.id}`)).toBe(200);
  expect(await status(`/channels/${CHANNEL.id}`)).toBe(429);
  expect(await status(`/guilds/${GUILD.id}`)).toBe(200);
  const headers = { authorization: 'Bot token-of-another-bot' };
  expect((await fetch(`${discord.apiUrl}/channels/${CHANNEL.id}`, { headers })).status).toBe(200);
});

test('a bot has 50 calls a second on all routes, its users and other bots their own', async () => {
  let now = NOW;
  await using discord = await startBotSim({ clock: () => now });
  discord.world.addBot({ applicationId: OTHER_APPLICATION.id, token: 'token-of-another-bot' });
  const status = async (path: string) => (await asBot(discord, 'GET', path)).status;
  for (let turn = 0; turn < 25; turn += 1)
    expect([await status('/users/@me'), await status(`/guilds/${GUILD.id}`)]).toStrictEqual([200, 200]);
  now += 400;
  const limited = await asBot(discord, 'GET', `/channels/${CHANNEL.id}`);
  expect([limited.status, await limited.json()]).toMatchObject([429, { retry_after: 0.6, global: true }]);
  expect(Object.fromEntries(limited.headers)).toMatchObject({
    'retry-after': '1',
    'x-ratelimit-global': 'true',
    'x-ratelimit-scope': 'global',
  });
  expect(limited.headers.has('x-ratelimit-bucket')).toBe(false);
  expect((await get(discord, '/users/@me', memberToken(discord))).status).toBe(200);
  const headers = { authorization: 'Bot token-of-another-bot' };
  expect((await fetch(`${discord.apiUrl}/users/@me`, { headers })).status).toBe(200);
  now += 600;
  expect(await status(`/channels/${CHANNEL.id}`)).toBe(200);
});

test('channels share the name of a bucket, routes do not', async ({ discord }) => {
  const bucket = async (path: string) => (await asBot(discord, 'GET', path)).headers.get('x-ratelimit-bucket');
  expect(await bucket(`/channels/${CHANNEL.id}`)).toBe(await bucket('/channels/1300000000000000002'));
  expect(await bucket(`/channels/${CHANNEL.id}`)).not.toBe(await bucket(`/channels/${CHANNEL.id}/messages`));
});
