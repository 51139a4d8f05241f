import { printedSeed, repetitions } from '@guild-settings/testing';
import { type Sent, sharedApi, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { rawExchange } from '@guild-settings/testing/raw-http';
import { openTestSqlite, prefix } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { Client } from 'undici';
import { beforeAll, describe, expect } from 'vitest';

const { guild, otherGuild, bigGuild } = IDS;

/** Reports that the bot is in one guild and has left another. */
async function invite(api: TestApi): Promise<TestApi> {
  await api.report({ type: 'present', guild: { id: guild, name: 'Discord Testers', icon: null } });
  await api.report({ type: 'left', guild: otherGuild });
  return api;
}

/** Returns the parts of a response that do not depend on its path through the server. */
async function answerTo(api: TestApi, id: string, sent: Sent) {
  const response = await api.get(id, sent);
  const headers = Object.fromEntries(response.headers);
  const text = await response.text();
  for (const name of ['date', 'x-request-id', 'ratelimit']) delete headers[name];
  return { status: response.status, headers, text };
}

/** A condition that always holds does not change the response, but makes the request take the normal route. */
const LONG_WAY = { 'if-match': '*' };

const shared = sharedApi();
beforeAll(() => invite(shared()));

describe('a GET on the fast path', () => {
  test.each([
    ['as the service starts', {}, repetitions(150, 1_000)],
    ['with a limit', { RATE_LIMIT_PER_MINUTE: '100000' }, repetitions(50, 1_000)],
    ['with origins that are let in', { CORS_ORIGINS: 'https://dashboard.example' }, repetitions(50, 1_000)],
  ])('responds byte for byte as the REST route does, to every caller and request: %s', async (_name, env, numRuns) => {
    await using api = await invite(await startApi(env));
    const tokens = Object.keys(api.tokens) as (keyof typeof api.tokens)[];
    const question = fc.record({
      id: fc.constantFrom(guild, guild, guild, otherGuild, bigGuild, '123', 'x', '99999999999999999'),
      token: fc.constantFrom(...tokens, 'manager' as const, 'application' as const),
      ifNoneMatch: fc.constantFrom(undefined, undefined, '"0"', '"1"', 'W/"1"', '*', '"7", "1"', 'nonsense'),
    });
    const seed = printedSeed('fast-path');
    await fc.assert(
      fc.asyncProperty(question, async ({ id, token, ifNoneMatch }) => {
        const headers = { ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) };
        const sent = { token: api.tokens[token], headers };
        // Makes the token known.
        await api.get(id, sent);
        const fast = await answerTo(api, id, sent);
        expect(fast).toEqual(await answerTo(api, id, { ...sent, headers: { ...headers, ...LONG_WAY } }));
      }),
      { numRuns, seed },
    );
  });

  test('shows every change from its acknowledgement on, every report of the bot, and what another process wrote to the file', async () => {
    await using api = await invite(await startApi());
    const reading = async () => (await api.get(guild)).json();
    for (let turn = 0; turn < 20; turn++) {
      await api.patch(guild, { prefix: `${turn}` });
      expect(await reading()).toMatchObject({ prefix: `${turn}` });
    }
    await api.report({ type: 'present', guild: { id: guild, name: 'Renamed', icon: null } });
    expect(await reading()).toMatchObject({ name: 'Renamed', prefix: '19' });
    const other = openTestSqlite(api.databasePath);
    await other.write(prefix([guild], 'elsewhere'));
    await other.close();
    expect(await reading()).toMatchObject({ prefix: 'elsewhere' });
    // As if a copy was restored that reached the same revision by another history.
    const file = new Database(api.databasePath);
    file
      .prepare(`UPDATE guilds SET settings = '{"prefix":"copy"}', updated_at = updated_at + 1 WHERE id = ?`)
      .run(guild);
    file.close();
    expect(await reading()).toMatchObject({ prefix: 'copy' });
  });

  test('belongs to its caller where no bot has reported a name: each sees the own guild list', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    const nameFor = async (token: string) =>
      ((await (await api.get(guild, { token })).json()) as { name: string }).name;
    const { manager, application } = api.tokens;
    const names: string[] = [];
    for (const token of [manager, application, manager, application]) names.push(await nameFor(token));
    expect(names).toEqual(['Discord Testers', '', 'Discord Testers', '']);
  });

  test('is refused as soon as the permission has been checked again', async () => {
    await using api = await invite(await startApi());
    for (let turn = 0; turn < 2; turn++) expect((await api.get(guild)).status).toBe(200);
    api.discord.world.addMember(guild, IDS.manager, { permissions: 0n });
    api.clock.now += 61_000;
    expect((await api.get(guild)).status).toBe(403);
  });

  test('counts once towards the limit, and is logged and counted once, with its request id', async () => {
    await using api = await invite(await startApi({ RATE_LIMIT_PER_MINUTE: '3' }));
    const remaining: (string | null)[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const { status, headers } = await api.get(guild, { headers: { 'x-request-id': `r${turn}` } });
      remaining.push(`${status} ${/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]}`);
    }
    expect(remaining).toEqual(['200 2', '200 1', '200 0', '429 0']);
    const lines = api.log().split('\n');
    expect(lines.filter((line) => line.includes('"reqId":"r1"')).map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'request', method: 'GET', path: `/guilds/${guild}`, status: 200 },
    ]);
    const counted = 'http_request_duration_seconds_count{method="GET",route="/guilds/:guild",status="200"} 3';
    expect(await (await api.send('/metrics')).text()).toContain(counted);
  });
});

describe('the connection of a GET on the fast path', () => {
  test('has the responses in the order of the requests, where a client sends several at once', async () => {
    const api = shared();
    await api.get(guild);
    const client = new Client(api.url, { pipelining: 16 });
    const authorization = `Bearer ${api.tokens.manager}`;
    const record = `/guilds/${guild}`;
    const paths = [record, record, `${record}/history`, `/guilds/${otherGuild}`, '/healthz'];
    const ask = async (index: number) => {
      const path = paths[(index * 7) % paths.length] ?? '';
      const headers = { authorization, 'x-request-id': `r${index}` };
      const response = await client.request({ method: 'GET', path, headers });
      const body = await response.body.text();
      expect(response.headers['x-request-id']).toBe(`r${index}`);
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(body)));
      return `${path} ${response.statusCode}`;
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(index)));
    await client.close();
    const statuses = ['/healthz 200', `${record} 200`, `${record}/history 200`, `/guilds/${otherGuild} 404`];
    expect([...new Set(answers)].sort()).toEqual(statuses.sort());
  });

  test.each([
    ['no HTTP', 'NONSENSE\r\n\r\n'],
    ['headers larger than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is closed after the response where %s follows', async (_name, unreadable) => {
    const api = shared();
    const request = `GET /guilds/${guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n\r\n`;
    const { head, body } = await rawExchange(api.url, request + unreadable);
    expect(head).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close/i);
    expect(JSON.parse(body)).toMatchObject({ id: guild });
  });
});
