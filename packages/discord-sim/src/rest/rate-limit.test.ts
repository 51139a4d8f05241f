import { REST } from 'discord.js';
import { expect } from 'vitest';
import { asBot, BOT_TOKEN, CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { GUILD, get, memberToken, OTHER_APPLICATION, startPopulatedSim } from '../testing/populated-sim.ts';

const NOW = 1_700_000_000_000;

test('describes the bucket on every answer', async () => {
  await using discord = await startPopulatedSim({ clock: () => NOW, rateLimit: { limit: 5, windowMs: 1500 } });
  for (const [path, token] of [['/users/@me', memberToken(discord)], ['/users/@me'], ['/nowhere']] as const) {
    const { headers } = await get(discord, path, token);
    expect(headers.get('x-ratelimit-limit')).toBe('5');
    expect(headers.get('x-ratelimit-remaining')).toBe('4');
    expect(headers.get('x-ratelimit-reset')).toBe('1700000001.500');
    expect(headers.get('x-ratelimit-reset-after')).toBe('1.500');
    expect(headers.get('x-ratelimit-bucket')).toMatch(/^[0-9a-f]{32}$/);
  }
});

test('refuses calls above the limit until the window ends', async () => {
  let now = NOW;
  await using discord = await startPopulatedSim({ clock: () => now, rateLimit: { limit: 2, windowMs: 1500 } });
  const token = memberToken(discord);
  const call = () => get(discord, '/users/@me', token);
  expect([(await call()).status, (await call()).status]).toStrictEqual([200, 200]);
  const limited = await call();
  expect(limited.status).toBe(429);
  expect(limited.headers.get('retry-after')).toBe('2');
  expect(limited.headers.get('x-ratelimit-scope')).toBe('user');
  expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(limited.headers.has('x-ratelimit-global')).toBe(false);
  expect(await limited.json()).toStrictEqual({
    message: 'You are being rate limited.',
    code: 0,
    retry_after: 1.5,
    global: false,
  });
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
  const other = { id: '1300000000000000002', guildId: GUILD.id, name: 'other' };
  world.addChannel(other);
  world.addBot({ applicationId: OTHER_APPLICATION.id, token: 'token-of-another-bot' });
  world.addBotToGuild(GUILD.id, { applicationId: OTHER_APPLICATION.id });
  const status = async (path: string) => (await asBot(discord, 'GET', path)).status;
  expect(await status(`/channels/${CHANNEL.id}`)).toBe(200);
  expect(await status(`/channels/${other.id}`)).toBe(200);
  expect(await status(`/channels/${CHANNEL.id}`)).toBe(429);
  expect(await status(`/guilds/${GUILD.id}`)).toBe(200);
  const headers = { authorization: 'Bot token-of-another-bot' };
  expect((await fetch(`${discord.apiUrl}/channels/${CHANNEL.id}`, { headers })).status).toBe(200);
});

test('channels share the name of a bucket, routes do not', async ({ discord }) => {
  const bucket = async (path: string) => (await asBot(discord, 'GET', path)).headers.get('x-ratelimit-bucket');
  expect(await bucket(`/channels/${CHANNEL.id}`)).toBe(await bucket('/channels/1300000000000000002'));
  expect(await bucket(`/channels/${CHANNEL.id}`)).not.toBe(await bucket(`/channels/${CHANNEL.id}/messages`));
});

test('discord.js waits out the limit of one channel while it writes to another', async () => {
  await using discord = await startBotSim({ rateLimit: { limit: 1, windowMs: 300 } });
  const other = { id: '1300000000000000002', guildId: GUILD.id, name: 'other' };
  discord.world.addChannel(other);
  const rest = new REST({ api: `${discord.url}/api` }).setToken(BOT_TOKEN);
  const post = (id: string, content: string) => rest.post(`/channels/${id}/messages`, { body: { content } });
  await post(CHANNEL.id, 'first');
  await Promise.all([post(CHANNEL.id, 'second'), post(other.id, 'elsewhere')]);
  expect(discord.messages.all().map(({ content }) => content)).toStrictEqual(['first', 'elsewhere', 'second']);
});
