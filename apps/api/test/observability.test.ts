import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { METHODS } from 'node:http';
import { waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { openWatch } from '@guild-settings/testing/streams';
import { describe, expect } from 'vitest';

const { guild } = IDS;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
  readonly [field: string]: unknown;
}

function linesOf(api: TestApi): Line[] {
  const text = api.log().trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Line);
}

const WARN = 40;
const warningsOf = (api: TestApi) => linesOf(api).filter(({ level }) => level >= WARN);
const metricsOf = async (api: TestApi) => (await api.send('/metrics')).text();

async function lineOf(api: TestApi, reqId: string): Promise<Line> {
  const find = () => linesOf(api).find((line) => line.reqId === reqId);
  await waitUntil(() => find() !== undefined);
  return find() as Line;
}

describe('metrics', () => {
  test('count watches and their durations apart from requests: a long stream is no slow request', async ({ api }) => {
    const watch = await openWatch(api.url, api.tokens.application);
    await waitUntil(() => watch.events.at(-1)?.type === 'live');
    expect(await metricsOf(api)).toMatch(/^feed_watchers 1$/m);
    watch.close();
    await waitUntil(async () => /^feed_watchers 0$/m.test(await metricsOf(api)));
    const refused = await openWatch(api.url, api.tokens.manager);
    await refused.ended;
    const text = await metricsOf(api);
    expect(text).toContain('feed_watch_duration_seconds_count{outcome="served"} 1');
    expect(text).toContain('feed_watch_duration_seconds_count{outcome="refused"} 1');
    expect(text).not.toContain('route="/trpc/guilds.watch",status="200"');
  });

  test('name the versions and what waits, and begin at 0', async ({ api }) => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    const text = await metricsOf(api);
    expect(text).toContain(`guild_settings_build_info{version="${version}",node="${process.version}"} 1`);
    expect(text).not.toContain('postgres_pool');
    // The first failure is an increase.
    for (const series of [
      'store_waiting_writes',
      'store_errors_total{operation="write"}',
      'store_errors_total{operation="read"}',
      'http_unreadable_requests_total{status="431"}',
      'auth_cache_lookups_total{result="stale"}',
    ]) {
      expect(text).toContain(`\n${series} 0\n`);
    }
  });

  test('have the state of the circuit to Discord', async ({ api }) => {
    const states = async () => (await metricsOf(api)).match(/^discord_circuit_state.*$/gm);
    expect(await states()).toEqual([
      'discord_circuit_state{state="closed"} 1',
      'discord_circuit_state{state="open"} 0',
      'discord_circuit_state{state="half-open"} 0',
    ]);
    await failAtDiscord(api, 6);
    expect(await states()).toContain('discord_circuit_state{state="open"} 1');
  });
});

test('health checks and scrapes are logged at level debug alone, whatever asks for them', async () => {
  await using api = await startApi({ LOG_LEVEL: 'info' });
  const paths = ['/healthz', '/readyz', '/metrics'];
  for (const path of paths) for (const method of ['GET', 'HEAD']) await api.send(path, { method });
  await api.send('/nowhere', { headers: { 'x-request-id': 'after-them' } });
  await lineOf(api, 'after-them');
  expect(linesOf(api).flatMap(({ path }) => path ?? [])).toEqual(['/nowhere']);
  await api.restart({ LOG_LEVEL: 'debug' });
  await api.send('/healthz', { headers: { 'x-request-id': 'debugged' } });
  expect(await lineOf(api, 'debugged')).toMatchObject({ level: 20, path: '/healthz', status: 200 });
});

describe('the log line of a refused request', () => {
  test('has the address of the client for a 401, and no principal', async () => {
    await using api = await startApi({ TRUST_PROXY: '1' });
    const headers = { 'x-request-id': 'no-one', 'x-forwarded-for': '192.0.2.7' };
    await api.send(`/guilds/${guild}`, { headers });
    expect(await lineOf(api, 'no-one')).toMatchObject({
      status: 401,
      problem: 'not-authenticated',
      client: '192.0.2.7',
    });
    expect(await lineOf(api, 'no-one')).not.toHaveProperty('principal');
  });

  test('has the principal and the address for a 403 and a 429, over REST and tRPC', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '3' });
    const plain = { kind: 'user', id: IDS.plain };
    const input = encodeURIComponent(JSON.stringify({ guild }));
    const token = api.tokens.plain;
    const cases = [
      ['rest-403', `/guilds/${guild}`, 403, 'not-guild-manager'],
      ['trpc-403', `/trpc/guilds.get?input=${input}`, 403, 'not-guild-manager'],
      // A stream is refused by a message, with status 200.
      ['watch-403', '/trpc/guilds.watch', 200, 'application-only'],
      ['rest-429', `/guilds/${guild}`, 429, 'rate-limited'],
    ] as const;
    for (const [id, path, status, problem] of cases) {
      const answer = await fetch(`${api.url}${path}`, {
        headers: { authorization: `Bearer ${token}`, 'x-request-id': id },
      });
      await answer.text();
      expect(await lineOf(api, id)).toMatchObject({ status, problem, client: '127.0.0.1', principal: plain });
    }
    expect(api.log()).not.toContain(token);
  });

  test('names the user that the application acts for', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '1' });
    const sent = { token: api.tokens.application, headers: { 'x-on-behalf-of': IDS.plain, 'x-request-id': 'of-bot' } };
    await api.get(guild, { ...sent, headers: { 'x-on-behalf-of': IDS.plain } });
    await api.get(guild, sent);
    expect((await lineOf(api, 'of-bot')).principal).toEqual({
      kind: 'application',
      id: IDS.application,
      onBehalfOf: IDS.plain,
    });
  });

  test('has no address that is none', async () => {
    await using api = await startApi({ TRUST_PROXY: '1' });
    const headers = { 'x-forwarded-for': `secret-${'x'.repeat(500)}`, 'x-request-id': 'odd' };
    await api.send(`/guilds/${guild}`, { headers });
    expect(await lineOf(api, 'odd')).not.toHaveProperty('client');
  });
});

describe('a change of state is logged once', () => {
  test('Discord unavailable, and available again', async ({ api }) => {
    await failAtDiscord(api, 50);
    expect(warningsOf(api).map(({ msg }) => msg)).toEqual([
      'a token could not be checked at Discord',
      'Discord is unavailable: tokens cannot be checked until it responds',
    ]);
    api.discord.faults.clear();
    api.clock.now += 2_001;
    expect((await api.get(guild)).status).toBe(200);
    expect(linesOf(api).filter(({ msg }) => msg === 'Discord is available again')).toHaveLength(1);
    expect(warningsOf(api)).toHaveLength(2);
  });

  test('failures of single checks at most once a minute, with the number of those left out', async ({ api }) => {
    for (let turn = 0; turn < 3; turn += 1) {
      api.discord.faults.set({ kind: 'status', status: 500 }, { times: 1 });
      await api.get(guild, { token: `token-${turn}`.padEnd(30, 'x') });
      await api.get(guild, { token: api.tokens.owner });
    }
    expect(warningsOf(api)).toHaveLength(1);
    api.clock.now += 61_000;
    api.discord.faults.set({ kind: 'status', status: 500 }, { times: 1 });
    await api.get(guild, { token: 'one-more'.padEnd(30, 'x') });
    expect(warningsOf(api).map(({ leftOut }) => leftOut)).toEqual([undefined, 2]);
  });
});

async function failAtDiscord(api: TestApi, requests: number): Promise<void> {
  api.discord.faults.set({ kind: 'status', status: 500 });
  for (let turn = 0; turn < requests; turn += 1) {
    const token = `failing-${turn}-${api.clock.now}`.padEnd(40, 'x');
    expect((await api.get(guild, { token })).status).toBe(503);
  }
}

const ROUTES = [
  `/guilds/${IDS.guild}`,
  '/trpc/guilds.get',
  '/trpc/guilds.watch',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/problems/internal',
  '/nowhere',
];

async function count(api: TestApi, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await metricsOf(api))?.[1] ?? 0);
}

async function attempt(api: TestApi, line: string): Promise<void> {
  const socket = await connectTo(api.url);
  socket.end(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await once(socket.resume(), 'close');
}

describe('what a client without credentials causes', () => {
  test('is a bounded number of time series, whatever methods and addresses it tries', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const methods = METHODS.filter((method) => method !== 'CONNECT');
    const attempts = methods.flatMap((method) => ROUTES.map((route) => `${method} ${route}`));
    for (let start = 0; start < attempts.length; start += 40) {
      const some = attempts.slice(start, start + 40);
      await Promise.all(some.map((line) => attempt(api, line)));
    }
    const text = await metricsOf(api);
    expect(text.length).toBeLessThan(100_000);
    const series = text.match(/^http_request_duration_seconds_count\{.*\}/gm) ?? [];
    expect(series.length).toBeLessThanOrEqual(4 * ROUTES.length);
    expect(series.filter((line) => line.includes('405'))).toEqual([
      'http_request_duration_seconds_count{method="other",route="none",status="405"}',
    ]);
  });

  test('is a line of less than a kilobyte, however long its address is', async () => {
    await using api = await startApi({ LOG_LEVEL: 'trace' });
    await api.send(`/${'x'.repeat(13_000)}`);
    await api.send(`/trpc/${'x'.repeat(13_000)}`);
    await api.send(`/guilds/${'1'.repeat(13_000)}`);
    await api.send(`/guilds/${IDS.guild}`, { headers: { 'x-request-id': 'x'.repeat(13_000) } });
    const lines = api.log().trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('"request"'))).toHaveLength(4);
    for (const line of lines) expect(line.length).toBeLessThan(1_024);
  });

  test.each([
    [400, 'GET / HTTP/1.1\r\nbroken header\r\n\r\n'],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [408, 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ])('is counted and logged when it is answered with %i and was no readable request', async (status, text) => {
    await using api = await startApi({}, { timeouts: { headers: 200, request: 400 } });
    const socket = await connectTo(api.url);
    socket.write(text);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain(`HTTP/1.1 ${status} `);
    expect(await count(api, new RegExp(`^http_unreadable_requests_total\\{status="${status}"\\} (\\d+)`, 'm'))).toBe(1);
    expect(api.log()).toMatch(new RegExp(`"status":${status},"msg":"unreadable request"`));
  });
});
