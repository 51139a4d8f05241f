import { readFileSync } from 'node:fs';
import { repetitions, serveHttp } from '@guild-settings/testing';
import { problemIn, sharedApi, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS, type Tokens } from '@guild-settings/testing/people';
import { connectTo, rawExchange } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import { afterAll, describe, expect } from 'vitest';
import { OPERATIONS_BY_PATH } from '../src/operations/handlers.ts';

const { guild } = IDS;
const REALM = 'Bearer realm="guild-settings"';

/** For cases that change neither a guild nor Discord's responses. */
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());
afterAll(() => expect(readChanges(api)).toEqual([]));

/** For cases that only look at their own change. */
const changing = sharedApi();

describe('a user', () => {
  test('with every permission bit but Manage Guild and Administrator may not; with bits above 2^53 beside it may', async () => {
    for (const [permissions, status] of [
      [((1n << 53n) - 1n) & ~((1n << 5n) | (1n << 3n)), 403],
      [(1n << 60n) | (1n << 5n), 200],
    ] as const) {
      await using api = await startApi();
      api.discord.world.setPermissions(guild, IDS.plain, permissions);
      expect((await api.get(guild, { token: api.tokens.plain })).status).toBe(status);
    }
  });

  test('who does not manage a guild is refused by every operation on it: 403', async () => {
    const refused: [string, number][] = [];
    for (const [name, { rest }] of OPERATIONS_BY_PATH) {
      if (!name.startsWith('guilds.') || rest === undefined) continue;
      const path = rest.path.replace('{guild}', guild).replace('{revision}', '1').replace('{feature}', 'tea');
      const query = { 'guilds.members': `?ids=${IDS.manager}`, 'guilds.arrival': '?revision=1' }[name] ?? '';
      const sent = { method: rest.method, token: api.tokens.plain, headers: { 'if-match': '*' } };
      refused.push([name, (await api.send(path + query, sent)).status]);
    }
    expect(refused).toEqual(refused.map(([name]) => [name, 403]));
    expect(refused.length).toBeGreaterThan(12);
  });

  test('cannot act for another user: X-On-Behalf-Of is ignored', async () => {
    const api = changing();
    const headers = { 'x-on-behalf-of': IDS.owner };
    expect((await api.get(guild, { token: api.tokens.plain, headers })).status).toBe(403);
    await api.patch(guild, { prefix: 'own' }, { headers });
    expect(readChanges(api).at(-1)).toMatchObject({ actor_kind: 'user', actor_id: IDS.manager, origin: 'rest' });
  });
});

describe('the application', () => {
  test('may read and change every guild', async () => {
    const api = changing();
    const token = api.tokens.application;
    expect((await api.get('12345678901234567', { token })).status).toBe(200);
    expect((await api.patch('12345678901234567', { beta: true }, { token })).status).toBe(200);
    expect(readChanges(api).at(-1)).toMatchObject({
      actor_kind: 'application',
      actor_id: IDS.application,
      origin: 'rest',
    });
  });

  test('names the person it acts for', async () => {
    const api = changing();
    const headers = { 'x-on-behalf-of': IDS.plain };
    await api.patch(guild, { prefix: 'named' }, { token: api.tokens.application, headers });
    expect(readChanges(api).at(-1)).toMatchObject({ actor_kind: 'user', actor_id: IDS.plain, origin: 'bot' });
  });

  test('is refused when X-On-Behalf-Of is not a user id', async () => {
    const answer = await api.get(guild, { token: api.tokens.application, headers: { 'x-on-behalf-of': 'me' } });
    expect(answer.status).toBe(400);
  });
});

describe('credentials', () => {
  test.each([
    ['missing', {}],
    ['of another scheme', { authorization: 'Basic dXNlcjpwYXNzd29yZA==' }],
    ['of a scheme that only begins alike', { authorization: 'Bearerx abcdefghijklmnopqrstuvwxyz' }],
    ['empty', { authorization: '' }],
  ])('that are %s are answered with 401 and a bare challenge', async (_name, headers) => {
    const answer = await api.send(`/guilds/${guild}`, { headers });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, REALM]);
  });

  test('are needed for every operation except the public ones', async () => {
    const open: string[] = [];
    for (const [name, { rest, type }] of OPERATIONS_BY_PATH) {
      const overTrpc = await api.send(`/trpc/${name}`, { method: type === 'mutation' ? 'POST' : 'GET' });
      // A tRPC stream is refused by an event.
      const isRefused =
        type === 'subscription' ? (await overTrpc.text()).includes('"httpStatus":401') : overTrpc.status === 401;
      if (!isRefused) open.push(`${name} over tRPC`);
      if (rest === undefined) continue;
      const overRest = await api.send(rest.path.replaceAll(/\{\w+\}/g, guild), { method: rest.method });
      if (overRest.status !== 401) open.push(`${name} over REST`);
    }
    const forEveryone = ['application.get', 'features.list'];
    // Without a declaration `GET /settings` does not exist.
    const expected = [
      ...forEveryone.flatMap((name) => [`${name} over REST`, `${name} over tRPC`]),
      'settings.get over tRPC',
    ];
    expect(open.filter((name) => name !== 'settings.get over REST').sort()).toEqual(expected);
    expect((await api.send('/settings')).status).toBe(404);
  });

  test.each<keyof Tokens>(['unknown', 'expired', 'foreign'])(
    'that are %s are answered with 401 invalid_token',
    async (which) => {
      const answer = await api.get(guild, { token: api.tokens[which] });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, `${REALM}, error="invalid_token"`]);
    },
  );

  test.each(['x', 'a.new+format/of-Discord_tokens~==', 'x'.repeat(2_048)])(
    'in any format that RFC 6750 allows are asked about: %s',
    async (token) => {
      const before = api.discord.calls.count();
      const answer = await api.get(guild, { token });
      expect([answer.status, api.discord.calls.count() - before]).toEqual([401, 1]);
    },
  );

  test.each([
    'Bearer',
    'Bearer ',
    'Bearer =padding-alone',
    'Bearer padding=within',
    'Bearer two tokens-that-are-long-enough',
    `Bearer ${'x'.repeat(2_049)}`,
    'Bearer ünïcödé-ünïcödé-ünïcödé',
  ])('that do not look like a token are 401 invalid_token without asking Discord: %s', async (authorization) => {
    const before = api.discord.calls.count();
    const headers = { authorization: Buffer.from(authorization).toString('latin1') };
    const answer = await api.send(`/guilds/${guild}`, { headers });
    expect(answer.headers.get('www-authenticate')).toBe(`${REALM}, error="invalid_token"`);
    expect(api.discord.calls.count()).toBe(before);
  });

  test.each<keyof Tokens>(['withoutGuilds', 'withoutIdentify'])(
    '%s are answered with 403 insufficient_scope',
    async (which) => {
      const answer = await api.get(guild, { token: api.tokens[which] });
      const challenge = `${REALM}, error="insufficient_scope", scope="identify guilds"`;
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, challenge]);
    },
  );

  test('may say the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr']) {
      const authorization = `${scheme} ${api.tokens.manager}`;
      expect((await api.send(`/guilds/${guild}`, { headers: { authorization } })).status).toBe(200);
    }
  });

  test('are not taken from the query or a cookie', async () => {
    const { manager } = api.tokens;
    const headers = { cookie: `access_token=${manager}; token=${manager}` };
    expect((await api.send(`/guilds/${guild}?access_token=${manager}`, { headers })).status).toBe(401);
    expect(api.log()).not.toContain(manager);
  });

  test('issued to another application are refused for the application itself, too', async () => {
    const { accessToken } = api.discord.world.issueClientCredentialsToken({
      applicationId: IDS.foreignApplication,
      scopes: ['applications.commands.update'],
    });
    expect((await api.get(guild, { token: accessToken })).status).toBe(401);
  });
});

describe('the order of refusals', () => {
  const badPath = '123';
  const badBody = { beta: 'no' };

  test('is credentials, path, permission, body', async () => {
    const { unknown, plain, manager } = api.tokens;
    expect((await api.patch(badPath, badBody, { token: unknown })).status).toBe(401);
    expect((await api.patch(badPath, badBody, { token: plain })).status).toBe(400);
    expect((await api.patch(guild, badBody, { token: plain })).status).toBe(403);
    expect((await api.patch(guild, badBody, { token: manager })).status).toBe(400);
  });

  test.each<[string, string, Record<string, string>]>([
    ['no JSON', '{', { 'content-type': 'application/json' }],
    ['another media type', '{}', { 'content-type': 'text/plain' }],
    ['too large', ' '.repeat(20_000), { 'content-type': 'application/json' }],
  ])('holds for a body that is %s', async (_name, body, headers) => {
    expect((await api.patch(guild, body, { token: api.tokens.unknown, headers })).status).toBe(401);
    expect((await api.patch(badPath, body, { token: api.tokens.plain, headers })).status).toBe(400);
    expect((await api.patch(guild, body, { token: api.tokens.plain, headers })).status).toBe(403);
  });

  test.each([
    ['PATCH', `/guilds/${guild}`],
    ['POST', '/trpc/guilds.update'],
  ])('holds for a body that never comes: the refusal does not wait for it, %s %s', async (method, path) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`;
    const answer = await rawExchange(api.url, `${head}\r\n`);
    expect(answer.head).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close/i);
  });
});

describe('a refusal for want of permission', () => {
  const checks = (api: TestApi) => api.discord.calls.count({ path: '/oauth2/@me' });
  const statuses = async (api: TestApi) => {
    const token = api.tokens.plain;
    return [(await api.get(guild, { token })).status, (await api.patch(guild, { beta: true }, { token })).status];
  };

  test('by a check older than five seconds comes after another one, which a batch shares', async ({ api }) => {
    expect(await statuses(api)).toEqual([403, 403]);
    api.discord.world.setPermissions(guild, IDS.plain, 1n << 5n);
    api.clock.now += 4_999;
    expect([await statuses(api), checks(api)]).toEqual([[403, 403], 1]);
    api.clock.now += 1;
    const input = encodeURIComponent(JSON.stringify({ 0: { guild }, 1: { guild: IDS.otherGuild }, 2: { guild } }));
    const path = `/trpc/guilds.get,guilds.get,guilds.get?batch=1&input=${input}`;
    const answer = await api.send(path, { token: api.tokens.plain });
    const results = (await answer.json()) as { error?: { data: { httpStatus: number } } }[];
    expect(results.map(({ error }) => error?.data.httpStatus ?? 200)).toEqual([200, 403, 200]);
    expect([await statuses(api), checks(api)]).toEqual([[200, 200], 2]);
    // A manager is not checked again for it.
    api.clock.now += 30_000;
    expect([await statuses(api), checks(api)]).toEqual([[200, 200], 2]);
  });

  test('is 401 when the token was revoked in the meantime', async ({ api }) => {
    await statuses(api);
    api.discord.world.revokeToken(api.tokens.plain);
    api.clock.now += 5_000;
    expect(await statuses(api)).toEqual([401, 401]);
  });

  test('stands while Discord fails or limits the user, which it is asked about once in five seconds', async ({
    api,
  }) => {
    await statuses(api);
    api.discord.faults.set({ kind: 'status', status: 500 }, { path: '/oauth2/@me' });
    for (let turn = 0; turn < 12; turn += 1) {
      api.clock.now += 1_000;
      expect(await statuses(api)).toEqual([403, 403]);
    }
    expect(checks(api)).toBe(3);
    api.discord.faults.clear();
    api.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 20 }, { times: 1 });
    api.discord.world.setPermissions(guild, IDS.plain, 1n << 5n);
    for (const ms of [5_000, 5_000, 10_000]) {
      api.clock.now += ms;
      expect(await statuses(api)).toEqual([403, 403]);
    }
    expect(checks(api)).toBe(4);
    api.clock.now += 5_000;
    expect(await statuses(api)).toEqual([200, 200]);
  });
});

describe('a principal', () => {
  test('is remembered for AUTH_CACHE_TTL, and asked for again after it', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '60' });
    await api.get(guild);
    api.clock.now += 59_000;
    await api.get(guild);
    expect(api.discord.calls.count({ path: '/users/@me/guilds' })).toBe(1);
    api.discord.world.setPermissions(guild, IDS.manager, 0n);
    api.clock.now += 1_000;
    expect((await api.get(guild)).status).toBe(403);
    expect(api.discord.calls.count({ path: '/users/@me/guilds' })).toBe(2);
  });

  test("is never remembered beyond the token's expiry", async ({ api }) => {
    const { accessToken } = api.discord.world.issueUserToken({
      userId: IDS.manager,
      applicationId: IDS.application,
      scopes: ['identify', 'guilds'],
      expiresInSeconds: 10,
    });
    expect((await api.get(guild, { token: accessToken })).status).toBe(200);
    api.clock.now += 11_000;
    expect((await api.get(guild, { token: accessToken })).status).toBe(401);
  });

  test.each(['manager', 'application'] as const)(
    'is refused for a token of the %s whose time is over, although Discord still accepts it',
    async (name) => {
      await using api = await startApi();
      await using discord = await expiringTokens(api.discord.apiUrl);
      await api.restart({ DISCORD_API_URL: discord.url });
      expect((await api.get(guild, { token: api.tokens[name] })).status).toBe(200);
      discord.expire();
      api.clock.now += 61_000;
      for (let times = 0; times < 2; times += 1) {
        const response = await api.get(guild, { token: api.tokens[name] });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('invalid_token');
      }
    },
  );

  test('is looked up once for 200 simultaneous first requests with one good token', async ({ api }) => {
    const statuses = await statusesAtOnce(
      api,
      Array.from({ length: 200 }, () => ({ token: api.tokens.manager })),
    );
    expect(statuses).toEqual(Array.from({ length: 200 }, () => 200));
    expect(api.discord.calls.count({ path: '/oauth2/@me' })).toBe(1);
    expect(api.discord.calls.count({ path: '/users/@me/guilds' })).toBe(1);
  });

  test('with a bad token is remembered as bad', async ({ api }) => {
    for (let turn = 0; turn < 20; turn++) await api.get(guild, { token: api.tokens.unknown });
    expect(api.discord.calls.count()).toBe(1);
  });
});

const CROWD = repetitions(1_000, 10_000);
const CONNECTIONS = 100;

describe(`${CROWD} requests with random bad tokens`, () => {
  const ALLOWED = 100;
  const UNDER_WAY = 32;

  test('call Discord for at most 131 of those that look like tokens, and for none of the others', async () => {
    await using api = await startApi({ LOG_LEVEL: 'warn' });
    const statuses = new Map<number, number>();
    const requestOf = (index: number) => {
      const looksLikeOne = index % 2 === 0;
      const token = looksLikeOne ? `bad-token-${index}`.padEnd(30, 'x') : `bad token ${index}!`;
      return requestWith({ token });
    };
    const worker = async (from: number) => {
      const requests = Array.from({ length: CROWD / CONNECTIONS }, (_, turn) => requestOf(from + turn * CONNECTIONS));
      for (const status of await statusesInTurn(api.url, requests)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, from) => worker(from)));
    const calls = api.discord.calls.count();
    expect(calls).toBeGreaterThanOrEqual(ALLOWED);
    expect(calls).toBeLessThan(ALLOWED + UNDER_WAY);
    expect(statuses.get(401)).toBe(CROWD / 2 + calls);
    expect(statuses.get(429)).toBe(CROWD / 2 - calls);
  });

  test('lock out those who come from there, but no token that was good before, even when it has to be checked again', async () => {
    await using api = await startApi({ LOG_LEVEL: 'warn' });
    await api.get(guild);
    await statusesAtOnce(api, badTokens(150));
    expect((await api.get(guild)).status).toBe(200);
    const limited = await api.get(guild, { token: api.tokens.owner });
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    api.clock.now += 61_000;
    expect((await api.get(guild)).status).toBe(200);
    expect((await api.patch(guild, { beta: true })).status).toBe(200);
  });

  test.each(['1', '127.0.0.1', '127.0.0.0/8'])(
    'behind a proxy that TRUST_PROXY=%s names, a client cannot choose the address that they count against',
    async (TRUST_PROXY) => {
      await using api = await startApi({ LOG_LEVEL: 'warn', TRUST_PROXY });
      // The proxy appends the address it sees to what the client sent.
      const requests = badTokens(150).map(({ token }, index) => ({
        token,
        forwardedFor: `198.51.100.${index}, 192.0.2.1`,
      }));
      const statuses = await statusesAtOnce(api, requests);
      expect(statuses).toContain(429);
      expect(api.discord.calls.count()).toBeLessThan(ALLOWED + UNDER_WAY);
      // Invalid tokens count against the client and not against its proxy.
      const from = (address: string) =>
        api.get(guild, { token: api.tokens.owner, headers: { 'x-forwarded-for': address } });
      expect([(await from('192.0.2.1')).status, (await from('192.0.2.2')).status]).toEqual([429, 200]);
    },
  );
});

describe('presence', () => {
  const name = 'As reported';
  const snapshot = (...ids: string[]) => ({
    type: 'snapshot',
    shard: { id: 0, count: 1 },
    guilds: ids.map((id) => ({ id, name, icon: null })),
  });

  test('once reported, a guild outside the list is 404, which a stranger does not learn: 403', async ({ api }) => {
    expect((await api.get(guild)).status).toBe(200);
    await api.report(snapshot(IDS.otherGuild));
    expect((await api.get(IDS.otherGuild)).status).toBe(200);
    for (const answer of [await api.get(guild), await api.patch(guild, { beta: true })]) {
      expect(answer.status).toBe(404);
      expect(await problemIn(answer)).toMatchObject({ type: '/problems/bot-absent' });
    }
    expect((await api.get(guild, { token: api.tokens.stranger })).status).toBe(403);
  });

  test('of one shard says nothing of the guilds of another', async ({ api }) => {
    const shardOf = (id: string) => Number((BigInt(id) >> 22n) % 1000n);
    await api.report({ type: 'snapshot', shard: { id: shardOf(IDS.bigGuild), count: 1000 }, guilds: [] });
    expect((await api.get(IDS.bigGuild)).status).toBe(404);
    expect((await api.get(guild)).status).toBe(200);
  });

  test('with a name that no store can keep is kept as well as it goes, and changes nothing again', async ({ api }) => {
    const odd = { type: 'present', guild: { id: guild, name: 'odd \ud800\u0000 name', icon: null } };
    await api.report(odd);
    expect(await (await api.report(odd)).json()).toMatchObject({ result: { data: { changed: 0 } } });
    expect(await (await api.get(guild)).json()).toMatchObject({ name: 'odd \ufffd\ufffd name' });
  });

  test('refuses a guild that is not of the shard it is reported for', async ({ api }) => {
    const shard = { id: Number((BigInt(guild) >> 22n) % 2n) === 0 ? 1 : 0, count: 2 };
    const answer = await api.report({ ...snapshot(guild), shard });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { data: { problem: { issues: [{ pointer: '/guilds/0/id' }] } } },
    });
  });
});

describe('tokens', () => {
  test('appear in no log, answer, metric or database file', async () => {
    await using api = await startApi({ LOG_LEVEL: 'trace' });
    for (const token of Object.values(api.tokens)) {
      await api.get(guild, { token });
      await api.patch(guild, { beta: true }, { token });
      await api.send(`/guilds/${guild}?token=${token}`, { headers: { 'x-request-id': 'a b' } });
      for (const path of [`/guilds/${token}`, `/${token}`, `/trpc/${token}`, `/problems/x/${token}/y`]) {
        await api.send(path, { token });
        await api.send(path, { headers: { 'x-request-id': token } });
      }
    }
    for (const fault of [
      { kind: 'html', status: 502 },
      { kind: 'status', status: 500 },
      { kind: 'close-socket' },
    ] as const) {
      api.discord.faults.set(fault);
      api.clock.now += 61_000;
      expect((await api.patch(guild, { beta: true })).status).toBe(503);
    }
    const outage = await api.patch(guild, { beta: true });
    const everything = [api.log(), await outage.text(), await (await api.send('/metrics')).text()].join('\n');
    const files = ['', '-wal'].map((suffix) => readFileSync(`${api.databasePath}${suffix}`, 'latin1'));
    for (const token of Object.values(api.tokens)) expect(everything + files.join('')).not.toContain(token);
  });
});

interface CrowdRequest {
  readonly token: string;
  /** `X-Forwarded-For`; none unless given. */
  readonly forwardedFor?: string;
}

function badTokens(count: number): CrowdRequest[] {
  return Array.from({ length: count }, (_, index) => ({ token: `bad-token-${index}`.padEnd(30, 'x') }));
}

function requestWith({ token, forwardedFor }: CrowdRequest): string {
  const forwarded = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`;
  return `GET /guilds/${guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${forwarded}\r\n`;
}

/** Sends requests simultaneously, each on its own connection, and returns their statuses. */
async function statusesAtOnce(api: TestApi, requests: readonly CrowdRequest[]): Promise<number[]> {
  const statuses = await Promise.all(requests.map((request) => statusesInTurn(api.url, [requestWith(request)])));
  return statuses.flat();
}

/** Passes requests on to Discord, and on demand moves the expiry of tokens to a second ago. */
async function expiringTokens(apiUrl: string) {
  let isExpired = false;
  const server = await serveHttp(async (request, response) => {
    const answer = await fetch(new URL(new URL(apiUrl).pathname + request.url, apiUrl), {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    const date = answer.headers.get('date') ?? '';
    const body = (await answer.json()) as object;
    const expires = new Date(Date.parse(date) - 1_000).toISOString();
    response
      .writeHead(answer.status, { 'content-type': 'application/json', date })
      .end(JSON.stringify('expires' in body && isExpired ? { ...body, expires } : body));
  });
  return {
    ...server,
    expire: () => {
      isExpired = true;
    },
  };
}

/**
 * Writes requests on one connection, each after the response to the previous one, and returns the statuses: for
 * thousands of requests, whose clients would need more CPU time than the service.
 */
async function statusesInTurn(url: string, requests: readonly string[]): Promise<number[]> {
  const socket = await connectTo(url);
  const statuses: number[] = [];
  // A status line may arrive in two parts.
  let text = '';
  socket.write(requests[0] ?? '');
  for await (const chunk of socket.setEncoding('latin1')) {
    text += chunk;
    const status = /HTTP\/1\.1 (\d{3}) .*\r\n/.exec(text)?.[1];
    if (status === undefined) continue;
    text = '';
    statuses.push(Number(status));
    const next = requests[statuses.length];
    if (next === undefined) break;
    socket.write(next);
  }
  return statuses;
}
