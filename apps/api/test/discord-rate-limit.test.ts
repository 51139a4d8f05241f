import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect, test } from 'vitest';

const { guild } = IDS;
const GUILDS = '/users/@me/guilds';

const limit = ({ discord }: TestApi, retryAfterSeconds: number, more: { global?: boolean; times?: number } = {}) =>
  discord.faults.set(
    { kind: 'rate-limit', retryAfterSeconds, global: more.global ?? false },
    { path: GUILDS, times: more.times ?? 1 },
  );

describe("a 429 of Discord's", () => {
  test.concurrent('with a short Retry-After is waited out, and what was received before is not requested again', async () => {
    await using api = await startApi();
    limit(api, 0.4);
    const started = performance.now();
    expect((await api.get(guild)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(400);
    expect([api.discord.calls.count({ path: '/oauth2/@me' }), api.discord.calls.count({ path: GUILDS })]).toEqual([
      1, 2,
    ]);
  });

  test.concurrent('is waited out three times, and is no failure of Discord: the circuit stays closed', async () => {
    await using api = await startApi();
    for (let turn = 0; turn < 3; turn += 1) {
      limit(api, 0.1, { times: 3 });
      expect((await api.get(guild)).status).toBe(200);
      api.clock.now += 61_000;
    }
    const metrics = await (await api.send('/metrics')).text();
    expect(metrics).toContain('discord_circuit_state{state="closed"} 1');
    expect(metrics).toContain(`discord_request_duration_seconds_count{endpoint="${GUILDS}",outcome="rate-limited"} 9`);
  });

  test.concurrent('that does not end is 503 with Retry-After', async () => {
    await using api = await startApi();
    limit(api, 0.1, { times: 100 });
    const answer = await api.get(guild);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(api.discord.calls.count({ path: GUILDS })).toBe(4);
  });

  test.concurrent('that would last longer than a look-up may is 503 without a wait', async () => {
    await using api = await startApi();
    limit(api, 7);
    const answer = await api.get(guild);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
    expect(api.discord.calls.count({ path: GUILDS })).toBe(1);
  });
});
