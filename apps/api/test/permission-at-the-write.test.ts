import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

const { guild } = IDS;
const BODY = '{"prefix":"stolen"}';

/** Sends the headers and half of the body of a PATCH. Returns a function that sends the rest and returns the status. */
async function slowPatch(
  api: TestApi,
  path = `/guilds/${guild}`,
  body = BODY,
  { token = api.tokens.manager, calls = 2 } = {},
): Promise<() => Promise<number>> {
  const socket = await connectTo(api.url);
  const head = `${path.startsWith('/trpc') ? 'POST' : 'PATCH'} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const before = api.discord.calls.count();
  socket.write(head + body.slice(0, 5));
  await waitUntil(() => api.discord.calls.count() === before + calls);
  return async () => {
    const answered = once(socket, 'data');
    socket.write(body.slice(5));
    const status = Number(String(await answered).split(' ')[1]);
    socket.destroy();
    return status;
  };
}

describe('permission at the moment of the write', () => {
  test.each([
    ['over REST', `/guilds/${guild}`, BODY],
    ['over tRPC', '/trpc/guilds.update', `{"guild":"${guild}","prefix":"stolen"}`],
  ])('is gone when a slow body comes in after the demotion, %s', async (_name, path, body) => {
    await using api = await startApi({ AUTH_CACHE_TTL: '2' });
    const finish = await slowPatch(api, path, body);
    api.discord.world.setPermissions(guild, IDS.manager, 0n);
    api.clock.now += 14_000;
    expect(await finish()).toBe(403);
    expect(readChanges(api)).toEqual([]);
  });

  test('is checked again when the body took longer than a second', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '60' });
    await api.get(guild);
    const known = await cacheHits(api);
    const finish = await slowPatch(api, undefined, BODY, { calls: 0 });
    while ((await cacheHits(api)) === known) await setImmediate();
    api.discord.world.setPermissions(guild, IDS.manager, 0n);
    api.clock.now += 6_000;
    // Requests the list of guilds again: the first check would be valid for the write.
    await api.send('/users/@me/guilds', { token: api.tokens.manager, headers: { 'cache-control': 'no-cache' } });
    expect(await finish()).toBe(403);
    expect(readChanges(api)).toEqual([]);
  });

  test('cannot be checked while Discord is down, and nothing is written', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '2' });
    const finish = await slowPatch(api);
    api.clock.now += 3_000;
    api.discord.faults.set({ kind: 'status', status: 503 });
    expect(await finish()).toBe(503);
    expect(readChanges(api)).toEqual([]);
  });

  test('remains for a manager whose body is slow', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '2' });
    const finish = await slowPatch(api);
    api.clock.now += 14_000;
    expect(await finish()).toBe(200);
    expect(readChanges(api)).toHaveLength(1);
  });

  test("ends when the application's token is revoked before its report has arrived", async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '2' });
    const report = JSON.stringify({ type: 'present', guild: { id: guild, name: 'Renamed', icon: null } });
    const finish = await slowPatch(api, '/trpc/presence.report', report, { token: api.tokens.application, calls: 1 });
    api.discord.world.revokeToken(api.tokens.application);
    api.clock.now += 14_000;
    expect(await finish()).toBe(401);
    expect(readChanges(api)).toEqual([]);
  });

  test('is not checked again while its check is fresh, however long the write waits for the disk', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '60' });
    await api.get(guild);
    const known = await cacheHits(api);
    const other = new Database(api.databasePath);
    other.exec('BEGIN IMMEDIATE');
    const writing = api.patch(guild, { prefix: '?' });
    while ((await cacheHits(api)) === known) await setImmediate();
    api.clock.now += 30_000;
    other.exec('ROLLBACK');
    other.close();
    expect((await writing).status).toBe(200);
    expect(await cacheHits(api)).toBe(known + 1);
  });

  test('has expired when the write had to wait for the disk', async () => {
    await using api = await startApi({ AUTH_CACHE_TTL: '2' });
    await api.get(guild);
    const known = await cacheHits(api);
    const other = new Database(api.databasePath);
    other.exec('BEGIN IMMEDIATE');
    const writing = api.patch(guild, { prefix: 'stolen' });
    while ((await cacheHits(api)) === known) await setImmediate();
    api.discord.world.setPermissions(guild, IDS.manager, 0n);
    api.clock.now += 3_000;
    other.exec('ROLLBACK');
    other.close();
    expect((await writing).status).toBe(403);
    expect(readChanges(api)).toEqual([]);
  });
});

async function cacheHits(api: TestApi): Promise<number> {
  const text = await (await api.send('/metrics')).text();
  return Number(/^auth_cache_lookups_total\{result="hit"\} (\d+)/m.exec(text)?.[1] ?? 0);
}
