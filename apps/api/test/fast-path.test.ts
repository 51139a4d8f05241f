import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { printedSeed, repetitions } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { Client } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sent, startApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';
import { connectTo, halfClosedExchange, rawExchange } from '../src/testing/raw-http.ts';
import { openTestSqlite } from '../src/testing/store-commands.ts';

const { guild, otherGuild, bigGuild } = IDS;

/** The bot is in one guild and has left another. */
async function startWithBot(env: NodeJS.ProcessEnv = {}): Promise<TestApi> {
  const api = await startApi(env);
  for (const body of [
    { type: 'present', guild: { id: guild, name: 'Discord Testers', icon: null } },
    { type: 'left', guild: otherGuild },
  ]) {
    await api.send('/trpc/presence.report', { method: 'POST', token: api.tokens.application, body });
  }
  return api;
}

/** What is the same whichever way an answer comes. */
async function answerTo(api: TestApi, id: string, sent: Sent) {
  const response = await api.get(id, sent);
  const headers = Object.fromEntries(response.headers);
  const text = await response.text();
  for (const name of ['date', 'x-request-id', 'ratelimit']) delete headers[name];
  return { status: response.status, headers, text };
}

/** A condition that always holds changes no answer, and is out of the ordinary: the request goes the long way. */
const LONG_WAY = { 'if-match': '*' };

describe('a GET on the fast path', () => {
  test.each([
    ['as the service starts', {}, repetitions(150, 1_000)],
    ['with a limit', { RATE_LIMIT_PER_MINUTE: '100000' }, repetitions(50, 1_000)],
    ['with origins that are let in', { CORS_ORIGINS: 'https://dashboard.example' }, repetitions(50, 1_000)],
  ])('responds byte for byte as the REST route does, to every caller and request: %s', async (_name, env, numRuns) => {
    await using api = await startWithBot(env);
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
        // So that the token is known.
        await api.get(id, sent);
        const fast = await answerTo(api, id, sent);
        expect(fast).toEqual(await answerTo(api, id, { ...sent, headers: { ...headers, ...LONG_WAY } }));
      }),
      { numRuns, seed },
    );
  });

  test('shows every change from its acknowledgement on, and every report of the bot', async () => {
    await using api = await startWithBot();
    const reading = async () => (await api.get(guild)).json();
    for (let turn = 0; turn < 20; turn++) {
      await api.patch(guild, { prefix: `${turn}` });
      expect(await reading()).toMatchObject({ prefix: `${turn}` });
    }
    const body = { type: 'present', guild: { id: guild, name: 'Renamed', icon: null } };
    await api.send('/trpc/presence.report', { method: 'POST', token: api.tokens.application, body });
    expect(await reading()).toMatchObject({ name: 'Renamed', prefix: '19' });
  });

  test('shows what another process has written to the file, be it under the revision that was seen before', async () => {
    await using api = await startWithBot();
    await api.patch(guild, { prefix: 'seen' });
    const reading = async () => (await api.get(guild)).json();
    expect(await reading()).toMatchObject({ prefix: 'seen' });
    const other = openTestSqlite(api.databasePath);
    const settings = { ...DEFAULT_SETTINGS, prefix: 'elsewhere' };
    const next = {
      name: null,
      icon: null,
      settings,
      presence: 'present' as const,
      leftAt: null,
      logged: { day: 0, bytes: 0 },
    };
    await other.write({ kind: 'put', guildIds: [guild], next });
    await other.close();
    expect(await reading()).toMatchObject({ prefix: 'elsewhere' });
    // As when a copy is put back that came to the same revision by another way.
    const file = new Database(api.databasePath);
    file.prepare("UPDATE guilds SET prefix = 'copy', updated_at = updated_at + 1 WHERE id = ?").run(guild);
    file.close();
    expect(await reading()).toMatchObject({ prefix: 'copy' });
  });

  test('belongs to its caller where no bot has reported a name: each sees the own guild list', async () => {
    await using api = await startApi();
    const store = openTestSqlite(api.databasePath);
    const next = {
      name: null,
      icon: null,
      settings: DEFAULT_SETTINGS,
      presence: 'present' as const,
      leftAt: null,
      logged: { day: 0, bytes: 0 },
    };
    await store.write({ kind: 'put', guildIds: [guild], next });
    await store.close();
    const nameFor = async (token: string) =>
      ((await (await api.get(guild, { token })).json()) as { name: string }).name;
    const { manager, application } = api.tokens;
    const names: string[] = [];
    for (const token of [manager, application, manager, application]) names.push(await nameFor(token));
    expect(names).toEqual(['Discord Testers', '', 'Discord Testers', '']);
  });

  test('is refused as soon as the permission has been checked again', async () => {
    await using api = await startWithBot();
    expect((await api.get(guild)).status).toBe(200);
    expect((await api.get(guild)).status).toBe(200);
    api.discord.world.addMember(guild, IDS.manager, { permissions: 0n });
    api.clock.now += 61_000;
    expect((await api.get(guild)).status).toBe(403);
  });

  test('counts towards the limit like any other, once', async () => {
    await using api = await startWithBot({ RATE_LIMIT_PER_MINUTE: '3' });
    const remaining: (string | null)[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const { status, headers } = await api.get(guild);
      remaining.push(`${status} ${/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]}`);
    }
    expect(remaining).toEqual(['200 2', '200 1', '200 0', '429 0']);
  });

  test('is logged and counted once, with its request id', async () => {
    await using api = await startWithBot();
    await api.get(guild);
    await api.get(guild, { headers: { 'x-request-id': 'mine' } });
    const lines = api
      .log()
      .split('\n')
      .filter((line) => line.includes('"reqId":"mine"'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'request', method: 'GET', path: `/guilds/${guild}`, status: 200 },
    ]);
    const metrics = await (await api.send('/metrics')).text();
    expect(metrics).toContain(
      'http_request_duration_seconds_count{method="GET",route="/guilds/:guild",status="200"} 2',
    );
  });
});

/** The head of a GET that takes the fast path once the token is known, without its end. */
const headOf = (api: TestApi, id: string = guild) =>
  `GET /guilds/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n`;

describe('the connection of a GET on the fast path', () => {
  test('receives the header lines that Node writes, and the length of a record in bytes', async () => {
    await using api = await startWithBot();
    await api.patch(guild, { prefix: 'é→🦜' });
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const answer = async (more: Record<string, string>) => {
      const headers = { authorization: `Bearer ${api.tokens.manager}`, 'x-request-id': 'mine', ...more };
      const sent = httpRequest(`${api.url}/guilds/${guild}`, { agent, headers }).end();
      const [response] = await once(sent, 'response');
      const chunks = await response.toArray();
      const lines: [string, string][] = [];
      for (let at = 0; at < response.rawHeaders.length; at += 2) {
        const [name, value] = response.rawHeaders.slice(at, at + 2);
        lines.push([name, name === 'Date' ? String(Number.isNaN(Date.parse(value))) : value]);
      }
      return {
        status: `${response.statusCode} ${response.statusMessage}`,
        lines: lines.sort(),
        body: String(Buffer.concat(chunks)),
      };
    };
    const fast = await answer({});
    expect(fast).toEqual(await answer(LONG_WAY));
    expect(fast.lines).toContainEqual(['content-length', String(Buffer.byteLength(fast.body))]);
    expect(fast.lines).toContainEqual(['Date', 'false']);
    const unchanged = { 'if-none-match': '"2"' };
    expect(await answer(unchanged)).toEqual(await answer({ ...unchanged, ...LONG_WAY }));
  });

  test('has the responses in the order of the requests, where a client sends several at once', async () => {
    await using api = await startWithBot();
    await api.get(guild);
    const client = new Client(api.url, { pipelining: 16 });
    const authorization = `Bearer ${api.tokens.manager}`;
    const paths = [
      `/guilds/${guild}`,
      `/guilds/${guild}`,
      `/guilds/${guild}/history`,
      `/guilds/${otherGuild}`,
      '/healthz',
    ];
    const ask = async (index: number) => {
      const path = paths[(index * 7) % paths.length] ?? '';
      const response = await client.request({
        method: 'GET',
        path,
        headers: { authorization, 'x-request-id': `r${index}` },
      });
      const body = await response.body.text();
      expect(response.headers['x-request-id']).toBe(`r${index}`);
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(body)));
      return `${path} ${response.statusCode}`;
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(index)));
    await client.close();
    expect([...new Set(answers)].sort()).toEqual(
      ['/healthz 200', `/guilds/${guild} 200`, `/guilds/${guild}/history 200`, `/guilds/${otherGuild} 404`].sort(),
    );
  });

  test('has every response, however late its client reads them', async () => {
    await using api = await startWithBot();
    await api.get(guild);
    const socket = await connectTo(api.url);
    const count = 20_000;
    socket.pause().write(`${headOf(api)}\r\n`.repeat(count - 1));
    socket.write(`${headOf(api)}Connection: close\r\n\r\n`);
    // Another client is served meanwhile.
    expect((await api.get(guild)).status).toBe(200);
    const text = (await socket.setEncoding('latin1').toArray()).join('');
    expect(text.match(/HTTP\/1\.1 200 OK\r\n/g)?.length).toBe(count);
  });

  test('is closed after the response where the client says so, or has closed its half', async () => {
    await using api = await startWithBot();
    await api.get(guild);
    const { head, body } = await rawExchange(api.url, `${headOf(api)}Connection: close\r\n\r\n`);
    expect(head).toMatch(/\r\nConnection: close(?:\r\n|$)/i);
    expect(JSON.parse(body)).toMatchObject({ id: guild });
    const response = await halfClosedExchange(api.url, `${headOf(api)}\r\n`);
    expect(await response.json()).toMatchObject({ id: guild });
  });

  test.each([
    ['no HTTP', 'NONSENSE\r\n\r\n'],
    ['headers larger than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is closed after the response where %s follows, as by Node', async (_name, unreadable) => {
    await using api = await startWithBot();
    await api.get(guild);
    const answerTo = async (request: string) => {
      const { head, body } = await rawExchange(api.url, request + unreadable);
      return {
        lines: head
          .split('\r\n')
          .filter((line) => !/^(?:date|x-request-id):/i.test(line))
          .sort(),
        body,
      };
    };
    const fast = await answerTo(`${headOf(api)}\r\n`);
    expect(fast).toEqual(await answerTo(`${headOf(api)}If-Match: *\r\n\r\n`));
    expect(fast.lines).toContainEqual(expect.stringMatching(/^connection: close$/i));
  });

  test('may be lost at any moment: other connections are served', async () => {
    await using api = await startWithBot();
    await api.get(guild);
    for (let turn = 0; turn < 50; turn++) {
      const socket = await connectTo(api.url);
      socket.write(`${headOf(api)}\r\n`.repeat(1 + (turn % 3)), () => socket.resetAndDestroy());
      await once(socket, 'close');
      expect((await api.get(guild)).status).toBe(200);
    }
  });
});
