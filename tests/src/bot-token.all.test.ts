import { APPLICATION, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { healthUrlOf, startService } from '@guild-settings/sandbox';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startRestartableApi } from './testing/restartable-api.ts';
import { botEnvironment } from './testing/test-bot.ts';

test('a wrong client secret made the bot ask Discord again and again, and its readiness did not say why', async () => {
  using folder = temporaryFolder();
  await using api = await startRestartableApi();
  const { discord } = api;
  const grants = () => discord.calls.count({ path: '/oauth2/token' });
  discord.world.addApplication({ ...APPLICATION, clientSecret: 'another-secret', ownerId: PEOPLE.owner.id });
  const env = botEnvironment({ apiUrl: api.url, discord, path: `${folder.path}/bot.db` });
  await using bot = startService('bot', { ...env, LOG_LEVEL: 'trace' });
  const health = await healthUrlOf(bot);
  await waitUntil(() => grants() > 0, { message: 'a request for a token' });
  const since = performance.now();

  const ready = await fetch(`${health}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { checks: { gateway: 'ok', token: expect.stringMatching(/^failing \(.*invalid_client\)$/) } },
  ]);
  // The watch and the presence report share the pause.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  // The first pause has at least four seconds.
  const requests = grants();
  expect(requests).toBeLessThanOrEqual(1 + (performance.now() - since) / 4_000);
  const metrics = await (await fetch(`${health}/metrics`)).text();
  expect(Number(/bot_token_requests_total\{outcome="refused"\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThanOrEqual(1);
  const lines = bot.output().split('\n');
  expect(lines.filter((line) => line.includes('invalid_client'))).toHaveLength(1);
  expect(bot.output()).not.toContain('"stack"');

  discord.world.addApplication({ ...APPLICATION, ownerId: PEOPLE.owner.id });
  await waitUntil(async () => (await fetch(`${health}/readyz`)).ok, { message: 'the bot to be ready' });
  expect(await (await fetch(`${health}/readyz`)).json()).toMatchObject({ checks: { token: 'ok', settings: 'ok' } });
  expect(grants()).toBeLessThanOrEqual(requests + 2);
});
