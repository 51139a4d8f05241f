import { expect, test } from 'vitest';
import { get, memberToken, startPopulatedSim } from '../testing/populated-sim.ts';

const NOW = 1_700_000_000_000;

test('describes the bucket on every answer', async () => {
  await using discord = await startPopulatedSim({
    clock: () => NOW,
    rateLimit: { limit: 5, windowMs: 1500 },
  });
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
    retry_after: 1.5,
    global: false,
  });
  now += 1500;
  expect((await call()).status).toBe(200);
});

test('every token and every route has its own bucket', async () => {
  await using discord = await startPopulatedSim({ clock: () => NOW, rateLimit: { limit: 1, windowMs: 1000 } });
  const [one, two] = [memberToken(discord), memberToken(discord)];
  const answers = await Promise.all([
    get(discord, '/users/@me', one),
    get(discord, '/users/@me', two),
    get(discord, '/users/@me/guilds', one),
  ]);
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200]);
});

test('bad tokens share the bucket of their address', async () => {
  await using discord = await startPopulatedSim({ clock: () => NOW, rateLimit: { limit: 1, windowMs: 1000 } });
  expect((await get(discord, '/users/@me', 'bad-one')).status).toBe(401);
  expect((await get(discord, '/users/@me', 'bad-two')).status).toBe(429);
});
