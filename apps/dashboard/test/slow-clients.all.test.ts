import { once } from 'node:events';
import type { Socket } from 'node:net';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { type DashboardWorld, IDS, startDashboardWorld, type TestDashboard } from '../src/testing/dashboard-world.ts';
import { connectTo, sendLines } from '../src/testing/raw-connection.ts';

let world: DashboardWorld;
let dashboard: TestDashboard;
const browser = new Browser();
beforeAll(async () => {
  world = await startDashboardWorld({ CHANGE_LOG_BYTES_PER_DAY: '0', RATE_LIMIT_PER_MINUTE: '0' });
  dashboard = await world.start({}, { timeouts: { headers: 400, request: 600, idle: IDLE_MS } });
  await dashboard.login(browser);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** Between two bytes of a slow client. */
const INTERVAL_MS = 50;

/** Longer than the longest pause between two changes of a busy machine. */
const IDLE_MS = 5_000;

test.each([
  ['headers', ['GET /session HTTP/1.1', 'host: x', 'x-slow: ']],
  [
    'a body',
    [
      'POST /logout HTTP/1.1',
      'host: x',
      'sec-fetch-site: same-origin',
      'content-type: application/json',
      'content-length: 100',
      '',
      '{',
    ],
  ],
])('a client that sends %s a byte at a time is disconnected with 408', async (_what, lines) => {
  await using connection = await connectTo(dashboard.url);
  connection.write(lines.join('\r\n'));
  const timer = setInterval(() => connection.socket.writable && connection.write('x'), INTERVAL_MS);
  try {
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    clearInterval(timer);
  }
});

test.each([
  ['a page of another site', ['POST /logout', 'sec-fetch-site: cross-site', 'content-type: application/json']],
  ['a body that is not JSON', ['POST /trpc/guilds.update', 'sec-fetch-site: same-origin', 'x-requested-by: dashboard']],
  ['a body of GET, without a session', ['GET /trpc/guilds.get', 'sec-fetch-site: same-origin']],
])(
  'a request that is refused before its body was sent has one response, and its connection is closed: %s',
  async (_, [line, ...headers]) => {
    await using connection = await connectTo(dashboard.url);
    connection.write([`${line} HTTP/1.1`, 'host: x', ...headers, 'content-length: 100', '', '{'].join('\r\n'));
    const text = await connection.closed;
    // On an open connection, the rest of the body is awaited, and then is 408.
    expect(text.match(/HTTP\/1\.1 \d+/g)).toStrictEqual([expect.stringMatching(/ 40[01]$| 415$/)]);
    expect(text).toMatch(/^connection: close\r$/im);
  },
);

test('a client that connects and sends nothing is disconnected', async () => {
  await using connection = await connectTo(dashboard.url);
  await connection.closed;
});

test('headers of more than 16 KiB are 431', async () => {
  const response = await sendLines(dashboard.url, ['GET /session HTTP/1.1', `cookie: session=${'A'.repeat(17_000)}`]);
  expect(response).toMatch(/^HTTP\/1\.1 431 /);
});

test('a body that is announced as too large is refused before it is sent', async () => {
  await using connection = await connectTo(dashboard.url);
  const lines = ['POST /trpc/guilds.update HTTP/1.1', 'host: x', 'sec-fetch-site: same-origin'];
  connection.write([...lines, 'content-type: application/json', 'content-length: 99999999', '', ''].join('\r\n'));
  await waitUntil(() => connection.text().includes('HTTP/1.1 413 '));
});

test('a page that reads nothing loses its stream, and costs no memory meanwhile', async () => {
  const { accessToken } = world.discord.world.issueClientCredentialsToken({
    applicationId: IDS.application,
    scopes: ['applications.commands.update'],
  });
  const input = encodeURIComponent(JSON.stringify({ guild: IDS.guild }));
  const [[socket], page] = await Promise.all([
    once(dashboard.app.server, 'connection') as Promise<[Socket]>,
    connectTo(dashboard.url),
  ]);
  await using _ = page;
  const lines = [`GET /trpc/guilds.follow?input=${input} HTTP/1.1`, 'host: x', 'sec-fetch-site: same-origin'];
  page.write([...lines, `cookie: session=${browser.cookies.get('session')}`, '', ''].join('\r\n'));
  await waitUntil(() => page.text().includes('"type":"guild"'));
  page.socket.pause();
  const closed = once(socket, 'close');

  /** Changes the guild: an event of 25 KB. */
  const change = async (n: number) => {
    const enabledFeatures = Array.from({ length: 64 }, (_, index) => `${n}-${index}-`.padEnd(64, 'ж'));
    const response = await fetch(`${world.apiUrl}/guilds/${IDS.guild}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ enabledFeatures }),
    });
    expect(response.status).toBe(200);
  };
  // Until the system's buffers are full, and beyond.
  let [changes, waiting, mostBytes] = [0, 0, 0];
  while (waiting < 30 && changes < 3_000) {
    changes += 1;
    await change(changes);
    waiting = socket.writableLength > 0 ? waiting + 1 : 0;
    mostBytes = Math.max(mostBytes, socket.writableLength);
  }
  expect(waiting).toBe(30);
  expect(mostBytes).toBeLessThan(200_000);
  await closed;
  const metrics = await (await dashboard.visit(new Browser(), '/metrics')).text();
  expect(metrics).toContain('dashboard_streams 0');
});
