import type { Fault } from '@guild-settings/discord-sim';
import { serveHttp, waitUntil } from '@guild-settings/testing';
import { problemIn, sharedApi, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import { becomeLive } from '@guild-settings/testing/streams';
import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';

const { guild } = IDS;
const TTL = 60_000;
const GRACE = 300_000;

const FAULTS: readonly [string, Fault][] = [
  ['answers 500', { kind: 'status', status: 500 }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['answers 403', { kind: 'status', status: 403 }],
  ['answers 429', { kind: 'rate-limit', retryAfterSeconds: 7 }],
  ['answers 429 to all tokens', { kind: 'rate-limit', retryAfterSeconds: 7, global: true }],
  ['answers with a page of HTML', { kind: 'html', status: 200 }],
  ['answers 502 with a page of HTML', { kind: 'html', status: 502 }],
  ['answers 401 with a page of HTML', { kind: 'html', status: 401 }],
  ['answers half of its JSON', { kind: 'truncated-json' }],
  ['answers JSON of another shape', { kind: 'wrong-shape' }],
  ['closes the socket', { kind: 'close-socket' }],
  ['closes the socket in mid-answer', { kind: 'close-mid-body' }],
];

const recovering = sharedApi();

/** Returns the shared service after Discord's last fault, with a token that it has just checked. */
async function recovered(): Promise<{ readonly api: TestApi; readonly token: string }> {
  const api = recovering();
  api.discord.faults.clear();
  // Longer than the circuit stays open, and than a rate limit lasts.
  api.clock.now += TTL;
  const token = freshToken(api);
  expect((await api.get(guild, { token })).status).toBe(200);
  return { api, token };
}

describe.each(FAULTS)('while Discord %s', (_name, fault) => {
  test('an unknown token is 503 with Retry-After, never 401', async () => {
    const { api } = await recovered();
    api.discord.faults.set(fault);
    const answer = await api.get(guild, { token: freshToken(api) });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await problemIn(answer)).toMatchObject({ type: '/problems/discord-unavailable' });
    expect(answer.headers.has('www-authenticate')).toBe(false);
  });

  test('a cached principal still reads for the grace time, and changes nothing', async () => {
    const { api, token } = await recovered();
    api.discord.faults.set(fault);
    api.clock.now += TTL + GRACE - 20_000;
    expect((await api.get(guild, { token })).status).toBe(200);
    const change = await api.patch(guild, { beta: true }, { token });
    expect([change.status, readChanges(api)]).toEqual([503, []]);
    api.clock.now += 20_001;
    expect((await api.get(guild, { token })).status).toBe(503);
  });
});

describe('when Discord is available again', () => {
  test('the service recovers without a restart', async ({ api }) => {
    api.discord.faults.set({ kind: 'status', status: 500 });
    for (let turn = 0; turn < 10; turn++) await api.get(guild, { token: `token-${turn}`.padEnd(30, 'x') });
    api.discord.faults.clear();
    await waitUntil(async () => {
      api.clock.now += 1_000;
      return (await api.get(guild)).status === 200;
    });
  });

  test('a failed guild list does not discard the principal of the token', async ({ api }) => {
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: '/users/@me/guilds', times: 1 });
    expect((await api.get(guild)).status).toBe(503);
    api.clock.now += 1_000;
    expect((await api.get(guild)).status).toBe(200);
  });

  test('one closed socket is retried', async ({ api }) => {
    api.discord.faults.set({ kind: 'close-socket' }, { path: '/oauth2/@me', times: 1 });
    expect((await api.get(guild)).status).toBe(200);
  });
});

describe('Discord receives fewer requests', () => {
  test('while it fails: five failures stop the calls for a while', async ({ api }) => {
    api.discord.faults.set({ kind: 'status', status: 500 });
    for (let turn = 0; turn < 50; turn++) await api.get(guild, { token: `token-${turn}`.padEnd(30, 'x') });
    expect(api.discord.calls.count()).toBe(5);
  });

  test('but only for one token when it refuses that token with another status than 401', async ({ api }) => {
    for (let turn = 0; turn < 10; turn++) {
      api.discord.faults.set({ kind: 'status', status: 403 }, { times: 1 });
      expect((await api.get(guild, { token: `refused-token-${turn}`.padEnd(30, 'x') })).status).toBe(503);
    }
    expect((await api.get(guild)).status).toBe(200);
  });

  test('while it limits one token: that token waits for Retry-After, others do not', async ({ api }) => {
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 7 }, { times: 1 });
    expect((await api.get(guild)).headers.get('retry-after')).toBe('7');
    expect((await api.get(guild)).status).toBe(503);
    expect(api.discord.calls.count()).toBe(1);
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(200);
    api.clock.now += 7_000;
    expect((await api.get(guild)).status).toBe(200);
  });

  test('while it limits the service: no request is sent until the time is over', async ({ api }) => {
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 7, global: true }, { times: 1 });
    await api.get(guild);
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(503);
    expect(api.discord.calls.count()).toBe(1);
    api.clock.now += 7_000;
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(200);
  });
});

describe('AUTH_STALE_GRACE', () => {
  test('ends with the token', async ({ api }) => {
    const token = shortToken(api, 100);
    await api.get(guild, { token });
    api.discord.faults.set({ kind: 'status', status: 500 });
    api.clock.now += 90_000;
    expect((await api.get(guild, { token })).status).toBe(200);
    api.clock.now += 10_000;
    expect((await api.get(guild, { token })).status).toBe(503);
  });

  test('applies to outages only: a rejected token is rejected at once', async ({ api }) => {
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

describe("the application's own token, while Discord is down", () => {
  test('is accepted for new watches as long as for reads', async ({ api }) => {
    await becomeLive(api);
    api.discord.faults.set({ kind: 'status', status: 503 });
    api.clock.now += TTL + GRACE - 20_000;
    await becomeLive(api);
    api.clock.now += 20_001;
    await expect(becomeLive(api)).rejects.toThrow('refused');
  });

  test('is forgotten once Discord has rejected it', async ({ api }) => {
    await becomeLive(api);
    api.discord.world.revokeToken(api.tokens.application);
    api.clock.now += TTL;
    expect((await api.get(guild, { token: api.tokens.application })).status).toBe(401);
    api.discord.faults.set({ kind: 'status', status: 503 });
    api.clock.now += 31_000;
    expect((await api.get(guild, { token: api.tokens.application })).status).toBe(503);
  });

  test('is not a token of another application, nor one that was checked in the future', async ({ api }) => {
    await becomeLive(api);
    const db = new Database(api.databasePath);
    const kept = db.prepare('SELECT application_id AS applicationId, checked_at AS checkedAt FROM token_checks').all();
    expect(kept).toEqual([{ applicationId: IDS.application, checkedAt: api.clock.now }]);
    api.discord.faults.set({ kind: 'status', status: 503 });
    for (const [column, value] of [
      ['application_id', IDS.foreignApplication],
      ['checked_at', api.clock.now + 1],
    ] as const) {
      const copy = `${api.databasePath}.${column}`;
      db.exec(`VACUUM INTO '${copy}'`);
      const changed = new Database(copy);
      changed.prepare(`UPDATE token_checks SET ${column} = ?`).run(value);
      changed.close();
      const env = { DATABASE_URL: `file:${copy}`, DISCORD_API_URL: api.discord.apiUrl };
      await using other = await startApi({ ...env, ERASURE_LEDGER: `${api.databasePath}-erasures` });
      other.clock.now = api.clock.now;
      await expect(becomeLive({ ...api, url: other.url })).rejects.toThrow('refused');
    }
    db.close();
  });
});

test('no other address receives the token where that of Discord redirects, and the log names the address to write', async () => {
  let followed = 0;
  await using other = await serveHttp((_, response) => {
    followed += 1;
    response.end('{}');
  });
  await using proxy = await serveHttp(({ url }, response) =>
    response.writeHead(308, { location: `${other.url}${url}` }).end(),
  );
  await using api = await startApi({ DISCORD_API_URL: `${proxy.url}/api/v10` });
  expect((await api.get(guild, { token: api.tokens.manager })).status).toBe(503);
  const says = `received a redirect to ${other.url}/api/v10, which is not followed. Set DISCORD_API_URL to ${other.url}/api/v10.`;
  await waitUntil(() => api.log().includes(says));
  expect(followed).toBe(0);
});

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
