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
  dashboard = await world.start({}, { timeouts: { headers: 400, request: 600, idle: 1_000 } });
  await dashboard.login(browser);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const INTERVAL_MS = 50;

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
  let isEnded = false;
  let mostQueued = 0;
  dashboard.app.server.on('connection', (socket) => {
    const look = () => {
      mostQueued = Math.max(mostQueued, socket.writableLength);
    };
    const timer = setInterval(look, 5);
    socket.once('close', () => clearInterval(timer));
  });
  const input = encodeURIComponent(JSON.stringify({ guild: IDS.guild }));
  await using page = await connectTo(dashboard.url);
  page.write(
    [
      `GET /trpc/guilds.follow?input=${input} HTTP/1.1`,
      'host: x',
      'sec-fetch-site: same-origin',
      `cookie: session=${browser.cookies.get('session')}`,
      '',
      '',
    ].join('\r\n'),
  );
  await waitUntil(() => page.text().includes('"type":"guild"'));
  page.socket.pause();
  const streams = async () => {
    const metrics = await (await dashboard.visit(new Browser(), '/metrics')).text();
    return /^dashboard_streams (\d+)$/m.exec(metrics)?.[1];
  };
  expect(await streams()).toBe('1');
  // Each change is an event of 25 KB: more than the system keeps for a connection, within some hundred.
  for (let n = 0; n < 2_000 && !isEnded; n++) {
    const enabledFeatures = Array.from({ length: 64 }, (_, index) => `${n}-${index}-`.padEnd(64, 'ж'));
    const response = await fetch(`${world.apiUrl}/guilds/${IDS.guild}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ enabledFeatures }),
    });
    expect(response.status).toBe(200);
    if (n % 20 === 0) isEnded = (await streams()) === '0';
  }
  await waitUntil(async () => (await streams()) === '0', { message: 'the end of the stream' });
  expect(mostQueued).toBeGreaterThan(0);
  expect(mostQueued).toBeLessThan(200_000);
});
