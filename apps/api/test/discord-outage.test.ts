import type { Fault } from '@guild-settings/discord-sim';
import { describe, expect, test } from 'vitest';
import { problemIn, startApi, type TestApi } from '../src/testing/api-resource.ts';
import { readChanges } from '../src/testing/change-log.ts';
import { IDS } from '../src/testing/people.ts';

const { guild } = IDS;
const TTL = 60_000;
const GRACE = 300_000;

const FAULTS: readonly [string, Fault][] = [
  ['answers 500', { kind: 'status', status: 500 }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['answers 403', { kind: 'status', status: 403 }],
  ['answers 429', { kind: 'rate-limit', retryAfterSeconds: 7 }],
  ['answers 429 for everybody', { kind: 'rate-limit', retryAfterSeconds: 7, global: true }],
  ['answers with a page of HTML', { kind: 'html', status: 200 }],
  ['answers 502 with a page of HTML', { kind: 'html', status: 502 }],
  ['answers 401 with a page of HTML', { kind: 'html', status: 401 }],
  ['answers half of its JSON', { kind: 'truncated-json' }],
  ['answers JSON of another shape', { kind: 'wrong-shape' }],
  ['closes the socket', { kind: 'close-socket' }],
  ['closes the socket in mid-answer', { kind: 'close-mid-body' }],
  ['does not answer', { kind: 'hang' }],
];

describe.each(FAULTS)('while Discord %s', (_name, fault) => {
  test('an unknown token is 503 with Retry-After, never 401', async () => {
    await using api = await startApi();
    api.discord.faults.set(fault);
    const answer = await api.get(guild);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await problemIn(answer)).toMatchObject({ type: '/problems/discord-unavailable' });
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  test('a cached principal still reads for the grace time, and changes nothing', async () => {
    await using api = await startApi();
    await api.get(guild);
    api.discord.faults.set(fault);
    api.clock.now += TTL + GRACE - 20_000;
    expect((await api.get(guild)).status).toBe(200);
    const change = await api.patch(guild, { beta: true });
    expect([change.status, readChanges(api)]).toEqual([503, []]);
    api.clock.now += 20_001;
    expect((await api.get(guild)).status).toBe(503);
  });
});

describe('when Discord is well again', () => {
  test('so is the service, without a restart', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'status', status: 500 });
    for (let turn = 0; turn < 10; turn++) await api.get(guild, { token: `token-${turn}`.padEnd(30, 'x') });
    api.discord.faults.clear();
    await eventually(async () => {
      api.clock.now += 1_000;
      return (await api.get(guild)).status === 200;
    });
  });

  test('a guild list that fails is no reason to forget whose token it is', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: '/users/@me/guilds', times: 1 });
    expect((await api.get(guild)).status).toBe(503);
    api.clock.now += 1_000;
    expect((await api.get(guild)).status).toBe(200);
  });

  test('one closed socket is not even noticed', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'close-socket' }, { path: '/oauth2/@me', times: 1 });
    expect((await api.get(guild)).status).toBe(200);
  });
});

describe('Discord is spared', () => {
  test('while it fails: five failures stop the calls for a while', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'status', status: 500 });
    for (let turn = 0; turn < 50; turn++) await api.get(guild, { token: `token-${turn}`.padEnd(30, 'x') });
    expect(api.discord.calls.count()).toBe(5);
  });

  test('but not for everybody when it refuses one token for a reason of its own', async () => {
    await using api = await startApi();
    for (let turn = 0; turn < 10; turn++) {
      api.discord.faults.set({ kind: 'status', status: 403 }, { times: 1 });
      expect((await api.get(guild, { token: `refused-token-${turn}`.padEnd(30, 'x') })).status).toBe(503);
    }
    expect((await api.get(guild)).status).toBe(200);
  });

  test('while it limits one token: that token waits for as long as it said, others do not', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 7 }, { times: 1 });
    expect((await api.get(guild)).headers.get('retry-after')).toBe('7');
    expect((await api.get(guild)).status).toBe(503);
    expect(api.discord.calls.count()).toBe(1);
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(200);
    api.clock.now += 7_000;
    expect((await api.get(guild)).status).toBe(200);
  });

  test('while it limits everybody: nobody asks until the time is over', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 7, global: true }, { times: 1 });
    await api.get(guild);
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(503);
    expect(api.discord.calls.count()).toBe(1);
    api.clock.now += 7_000;
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(200);
  });

  test('while many wait for it: a look-up is given up after seven seconds, waiting included', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    api.discord.faults.set({ kind: 'latency', ms: 2_000 });
    const tokens = Array.from({ length: 120 }, () => freshToken(api));
    const started = performance.now();
    const answers = await Promise.all(tokens.map((token) => api.get(guild, { token })));
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 503]));
  }, 20_000);

  test('while it is slow: a call is given up after three seconds', async () => {
    await using api = await startApi();
    api.discord.faults.set({ kind: 'hang' });
    const started = performance.now();
    expect((await api.get(guild)).status).toBe(503);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

describe('AUTH_STALE_GRACE', () => {
  test('does not outlive the token', async () => {
    await using api = await startApi();
    const token = shortToken(api, 100);
    await api.get(guild, { token });
    api.discord.faults.set({ kind: 'status', status: 500 });
    api.clock.now += 90_000;
    expect((await api.get(guild, { token })).status).toBe(200);
    api.clock.now += 10_000;
    expect((await api.get(guild, { token })).status).toBe(503);
  });

  test('is for outages alone: a refused token is refused at once', async () => {
    await using api = await startApi();
    await api.get(guild);
    api.discord.world.revokeToken(api.tokens.manager);
    api.clock.now += TTL;
    expect((await api.get(guild)).status).toBe(401);
  });
});

function freshToken({ discord }: TestApi): string {
  const scopes = ['identify', 'guilds'] as const;
  return discord.world.issueUserToken({ userId: IDS.manager, applicationId: IDS.application, scopes }).accessToken;
}

function shortToken({ discord }: TestApi, expiresInSeconds: number): string {
  const scopes = ['identify', 'guilds'] as const;
  const { world } = discord;
  return world.issueUserToken({ userId: IDS.manager, applicationId: IDS.application, scopes, expiresInSeconds })
    .accessToken;
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('did not come true within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
