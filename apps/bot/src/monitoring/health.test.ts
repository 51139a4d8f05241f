import { expect, test } from 'vitest';
import { type BotHealth, botMetrics, startHealthServer } from './health.ts';

const READY: BotHealth = { isConnected: true, isStopping: false, token: 'ok', replica: { state: 'LIVE', revision: 7 } };

const REJECTED = [{ guild: '1234567890123456789', revision: 7, reason: 'prefix: expected string' }];

async function healthResource(health: () => BotHealth = () => READY, pendingReminders = () => 3) {
  const metrics = botMetrics({
    replica: { metrics: { guilds: 2, revision: 7, ageMs: 0, reconnects: 0, rejected: 3, reads: 1, arrivalMs: 12 } },
    pendingReminders,
    gatewayPing: () => -1,
    guilds: () => 2,
    lastBackup: () => 1_700_000_000,
  });
  const server = await startHealthServer({ host: '127.0.0.1', port: 0, health, metrics });
  return { ...server, metrics, [Symbol.asyncDispose]: () => server.close() };
}

test.each<[string, Partial<BotHealth>, number]>([
  ['connected with live settings', {}, 200],
  ['connected with old settings', { replica: { state: 'STALE', since: new Date(0), revision: 7 } }, 200],
  ['without any settings yet', { replica: { state: 'SYNCING', revision: 0 } }, 503],
  ['not connected', { isConnected: false }, 503],
  ['with settings that cannot be kept up to date', { token: 'failing (invalid_client)' }, 200],
  ['stopping', { isStopping: true }, 503],
  ['with records that were set aside', { replica: { state: 'LIVE', revision: 7, rejected: REJECTED } }, 200],
])('/healthz reports that the process runs, and /readyz whether a bot %s is ready', async (_, state, status) => {
  await using server = await healthResource(() => ({ ...READY, ...state }));
  const health = await fetch(`${server.url}/healthz?probe=1`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
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
    ...(state.replica?.rejected && { replica: { state: 'LIVE', rejected: REJECTED } }),
  });
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
    'guild_settings_backup_timestamp_seconds 1700000000',
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
  for (const path of ['/', '/healthz/']) expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  const post = await fetch(`${server.url}/healthz`, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${server.url}/readyz`, { method: 'HEAD' })).status).toBe(200);
});
