import { join } from 'node:path';
import { problemIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { processWorld, startApiProcess } from '@guild-settings/testing/api-programs';
import { IDS } from '@guild-settings/testing/people';
import { becomeLive } from '@guild-settings/testing/streams';
import { describe, expect } from 'vitest';

const { guild } = IDS;

describe('while Discord does not respond', () => {
  test('an unknown token is 503 with Retry-After, and a cached principal reads and changes nothing', async ({
    api,
  }) => {
    const token = api.tokens.manager;
    expect((await api.get(guild, { token })).status).toBe(200);
    api.discord.faults.set({ kind: 'hang' });
    const answer = await api.get(guild, { token: freshToken(api) });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await problemIn(answer)).toMatchObject({ type: '/problems/discord-unavailable' });
    api.clock.now += 300_000;
    expect((await api.get(guild, { token })).status).toBe(200);
    expect((await api.patch(guild, { beta: true }, { token })).status).toBe(503);
  });

  test('a look-up for which many wait is aborted after seven seconds, waiting included', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    api.discord.faults.set({ kind: 'latency', ms: 2_000 });
    const tokens = Array.from({ length: 120 }, () => freshToken(api));
    const answers = await Promise.all(tokens.map((token) => api.get(guild, { token })));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 503]));
  });
});

describe("the application's own token, while Discord is down", () => {
  test('is accepted for watches by a process that has started since', async () => {
    await using api = await processWorld();
    await becomeLive(api);
    api.discord.faults.set({ kind: 'status', status: 503 });
    await api.end('SIGKILL');
    const again = await startApiProcess({
      DATABASE_URL: `file:${join(api.folder, 'test.db')}`,
      DISCORD_API_URL: api.discord.apiUrl,
      DISCORD_APPLICATION_ID: IDS.application,
    });
    try {
      await becomeLive({ ...api, url: again.url });
      const headers = { authorization: `Bearer ${api.tokens.application}`, 'content-type': 'application/json' };
      const change = { method: 'PATCH', headers, body: '{"beta":true}' };
      expect((await fetch(`${again.url}/guilds/${guild}`, change)).status).toBe(503);
      const person = { headers: { authorization: `Bearer ${api.tokens.manager}` } };
      expect((await fetch(`${again.url}/guilds/${guild}`, person)).status).toBe(503);
    } finally {
      await again.end('SIGKILL');
    }
  });
});

function freshToken({ discord }: TestApi): string {
  const scopes = ['identify', 'guilds'] as const;
  return discord.world.issueUserToken({ userId: IDS.manager, applicationId: IDS.application, scopes }).accessToken;
}
