import { expect, test } from 'vitest';
import { botMetrics } from './bot-metrics.ts';
import { type BotHealth, startHealthServer } from './health-server.ts';

const READY: BotHealth = { isConnected: true, isStopping: false, token: 'ok', replica: { state: 'LIVE', revision: 7 } };

async function healthResource(health: () => BotHealth = () => READY, pendingReminders = () => 3) {
  const metrics = botMetrics({
    replica: { metrics: { guilds: 2, revision: 7, ageMs: 0, reconnects: 0, rejected: 3, reads: 1, arrivalMs: 12 } },
    pendingReminders,
    gatewayPing: () => -1,
    guilds: () => 2,
  });
  const server = await startHealthServer({ host: '127.0.0.1', port: 0, health, metrics });
  return { ...server, metrics, [Symbol.asyncDispose]: () => server.close() };
}

test('/healthz reports that the process runs, in every state of the bot', async () => {
  await using server = await healthResource(() => ({ ...READY, isConnected: false }));
  const response = await fetch(`${server.url}/healthz?probe=1`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test.each<[string, Partial<BotHealth>, number]>([
  ['connected with live settings', {}, 200],
  ['connected with old settings', { replica: { state: 'STALE', since: new Date(0), revision: 7 } }, 200],
  ['without any settings yet', { replica: { state: 'SYNCING', revision: 0 } }, 503],
  ['not connected', { isConnected: false }, 503],
  ['with settings that cannot be kept up to date', { token: 'failing (invalid_client)' }, 200],
  ['stopping', { isStopping: true }, 503],
])('a bot %s is ready or not', async (_, state, status) => {
  await using server = await healthResource(() => ({ ...READY, ...state }));
  const response = await fetch(`${server.url}/readyz`);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({
    status: status === 200 ? 'ok' : 'unavailable',
    checks: {
      gateway: state.isConnected === false ? 'failing' : 'ok',
      accepting: state.isStopping ? 'failing' : 'ok',
      settings: state.replica?.state === 'SYNCING' ? expect.stringContaining('failing') : 'ok',
      token: state.token ?? 'ok',
    },
  });
});

test('records of a newer service that were set aside are named, and the bot is ready', async () => {
  const rejected = [{ guild: '1234567890123456789', revision: 7, reason: 'prefix: expected string' }];
  await using server = await healthResource(() => ({ ...READY, replica: { state: 'LIVE', revision: 7, rejected } }));
  const response = await fetch(`${server.url}/readyz`);
  expect([response.status, await response.json()]).toMatchObject([200, { replica: { state: 'LIVE', rejected } }]);
});

test('metrics are counted and rendered', async () => {
  await using server = await healthResource();
  server.metrics.command({ command: 'remind add', trigger: 'slash', outcome: 'done' });
  server.metrics.reminder(2_000);
  const response = await fetch(`${server.url}/metrics`);
  const text = await response.text();
  expect(response.headers.get('content-type')).toContain('text/plain');
  for (const line of [
    'bot_commands_total{command="remind add",trigger="slash",outcome="done"} 1',
    'bot_reminder_lateness_seconds_sum 2',
    'bot_reminders_pending 3',
    'bot_replica_revision 7',
    'bot_replica_rejected_records 3',
  ]) {
    expect(text).toContain(line);
  }
});

test('metrics that cannot be read fail their response only', async () => {
  await using server = await healthResource(undefined, () => {
    throw new Error('the file is closed');
  });
  expect((await fetch(`${server.url}/metrics`)).status).toBe(500);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

test('other paths and methods are refused', async () => {
  await using server = await healthResource();
  expect((await fetch(`${server.url}/`)).status).toBe(404);
  expect((await fetch(`${server.url}/healthz/`)).status).toBe(404);
  const post = await fetch(`${server.url}/healthz`, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const head = await fetch(`${server.url}/readyz`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('a port that is taken is an error with its code', async () => {
  await using server = await healthResource();
  const port = Number(new URL(server.url).port);
  const second = startHealthServer({ host: '127.0.0.1', port, health: () => READY, metrics: server.metrics });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
