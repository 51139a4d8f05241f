import { setImmediate } from 'node:timers/promises';
import { problemIn, revisionTagIn, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture, readChanges } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { describe, expect, test as plainTest } from 'vitest';

const test = plainTest.extend<{ api: TestApi }>({ api: fixture(() => startOwned()) });

const { guild } = IDS;

const erase = (api: TestApi, token = api.tokens.owner, id: string = guild) =>
  api.send(`/guilds/${id}`, { method: 'DELETE', token, headers: { 'if-match': '*' } });

/** Starts a service with a changed guild whose owner it knows. */
async function startOwned(env: NodeJS.ProcessEnv = {}): Promise<TestApi> {
  const api = await startApi(env);
  expect((await api.patch(guild, { prefix: '?' }, { token: api.tokens.owner })).status).toBe(200);
  return api;
}

/** Makes another user the owner of the guild. The former owner stays an administrator. */
function giveAway({ discord: { world } }: TestApi, ownerId = IDS.admin): void {
  world.addGuild({ id: guild, name: 'Discord Testers', icon: null, ownerId });
  world.addMember(guild, IDS.owner, { permissions: 1n << 3n });
}

async function cacheHits(api: TestApi): Promise<number> {
  const text = await (await api.send('/metrics')).text();
  return Number(/^auth_cache_lookups_total\{result="hit"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

describe('ownership that was given away', () => {
  test('is known to an erasure five seconds after the check: 403, and the new owner may erase', async ({ api }) => {
    await api.get(guild, { token: api.tokens.admin });
    giveAway(api);
    api.clock.now += 5_000;
    expect(await problemIn(await erase(api))).toMatchObject({ status: 403, type: '/problems/not-guild-owner' });
    expect(readChanges(api)).toHaveLength(1);
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(200);
    expect((await erase(api, api.tokens.admin)).status).toBe(204);
  });

  test('is not known for the five seconds after a check', async ({ api }) => {
    giveAway(api);
    api.clock.now += 4_999;
    expect((await erase(api)).status).toBe(204);
  });

  test('while the erasure waits for the disk is known at its commit, once the check has expired: nothing is erased', async () => {
    await using api = await startOwned({ AUTH_CACHE_TTL: '2' });
    const known = await cacheHits(api);
    const other = new Database(api.databasePath);
    other.exec('BEGIN IMMEDIATE');
    const erasing = erase(api);
    while ((await cacheHits(api)) === known) await setImmediate();
    giveAway(api);
    api.clock.now += 3_000;
    other.exec('ROLLBACK');
    other.close();
    expect(await problemIn(await erasing)).toMatchObject({ status: 403, type: '/problems/not-guild-owner' });
    expect(readChanges(api)).toHaveLength(1);
  });

  test('in an outage of Discord is not known until the check expires: then 503, nothing is erased', async ({ api }) => {
    await api.patch(IDS.otherGuild, { prefix: '?' }, { token: api.tokens.owner });
    giveAway(api);
    api.discord.faults.set({ kind: 'status', status: 503 });
    api.clock.now += 59_000;
    expect((await erase(api)).status).toBe(204);
    api.clock.now += 1_000;
    expect((await erase(api, api.tokens.owner, IDS.otherGuild)).status).toBe(503);
    expect(revisionTagIn(await api.get(IDS.otherGuild, { token: api.tokens.owner }))).toBe('"2"');
  });
});
