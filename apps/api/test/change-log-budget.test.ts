import { startTestPostgres } from '@guild-settings/testing';
import { LET_IN, problemIn, startAccess, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase, readChanges } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';

const { guild, otherGuild } = IDS;
const DAY = 86_400_000;
const LIMIT = 20_000;
const EDITOR = { subject: `user:${LET_IN.editorByUser}`, level: 'editor' } as const;

/** A change that takes some 4 KB of the log, before and after. */
const large = (mark: string) => ({
  enabledFeatures: Array.from({ length: 32 }, (_, index) => `${mark}${index}`.padEnd(64, '_')),
});

const postgres = await startTestPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

describe('a manager who changes a guild continuously', () => {
  test('adds no more to the log than the bytes of a day, and receives 429 until the next day', async () => {
    await using api = await startApi({ CHANGE_LOG_BYTES_PER_DAY: String(LIMIT) });
    api.clock.now = Math.ceil(api.clock.now / DAY) * DAY + DAY / 4;
    const statuses = await changes(api, 30);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses.slice(-20)).toEqual(Array(20).fill(429));
    expect(logBytes(api)).toBeLessThan(LIMIT);

    const refused = await api.patch(guild, large('z'), { token: freshToken(api) });
    expect(refused.headers.get('retry-after')).toBe(String((DAY * 3) / 4 / 1_000));
    expect(await problemIn(refused)).toMatchObject({ type: '/problems/change-log-full', retryAfter: 64_800 });
    const record = (await (await api.get(guild, { token: freshToken(api) })).json()) as object;
    expect((await api.patch(guild, record, { token: freshToken(api) })).status).toBe(200);
    expect((await api.patch(otherGuild, large('a'), { token: freshToken(api) })).status).toBe(200);

    api.clock.now += (DAY * 3) / 4;
    expect((await api.patch(guild, large('z'), { token: freshToken(api) })).status).toBe(200);
  });

  test('does not prevent a report that the bot left the guild', async () => {
    await using api = await startApi({ CHANGE_LOG_BYTES_PER_DAY: String(LIMIT) });
    await changes(api, 10);
    expect((await api.report({ type: 'left', guild })).status).toBe(200);
    expect(readChanges(api).at(-1)?.after).toEqual({ presence: 'left' });
  });

  test('has one budget for all processes', async () => {
    const url = await migratedDatabase(postgres);
    const env = { DATABASE_URL: url, CHANGE_LOG_BYTES_PER_DAY: String(LIMIT) };
    await using one = await startApi(env);
    await using other = await startApi(env);
    const accepted = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;
    const first = accepted(await changes(one, 10));
    expect(first).toBeGreaterThan(2);
    expect(accepted(await changes(other, 10, 'other'))).toBe(0);
  });
});

describe('an editor who uses up the bytes of a day', () => {
  test('leaves managers half of them, and the way to put everything back and to remove the editor', async () => {
    await using world = await startAccess('bot', { CHANGE_LOG_BYTES_PER_DAY: String(LIMIT) });
    await world.setAccess([EDITOR]);
    const editor = { token: world.tokens.editorByUser };
    const statuses = await changes(world.api, 20, '', editor.token);
    const accepted = statuses.filter((status) => status === 200).length;
    expect([accepted > 0, new Set(statuses.slice(accepted))]).toEqual([true, new Set([429])]);
    const undo = { ...editor, method: 'POST' };
    expect((await world.api.send(`/guilds/${guild}/history/${1 + accepted}/undo`, undo)).status).toBe(429);

    const manager = await changes(world.api, 20, 'manager');
    expect(manager.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(manager.at(-1)).toBe(429);
    const restored = await world.api.send(`/guilds/${guild}/restore`, {
      method: 'POST',
      token: world.api.tokens.manager,
      body: { revision: 1 },
    });
    expect(restored.status).toBe(200);
    expect((await world.setAccess([])).status).toBe(200);
    expect((await world.api.get(guild, editor)).status).toBe(403);
  });
});

async function changes(api: TestApi, count: number, mark = '', token = freshToken(api)): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    statuses.push((await api.patch(guild, large(`${mark}${index}`), { token })).status);
  }
  return statuses;
}

/** Bytes of the rows of the log, without indexes. */
function logBytes({ databasePath }: TestApi): number {
  const db = new Database(databasePath, { readonly: true });
  try {
    const sum = db.prepare('SELECT sum(length(before) + length(after) + length(actor_id) + 32) FROM changes').pluck();
    return Number(sum.get());
  } finally {
    db.close();
  }
}

function freshToken({ discord }: TestApi): string {
  const scopes = ['identify', 'guilds'] as const;
  return discord.world.issueUserToken({ userId: IDS.manager, applicationId: IDS.application, scopes }).accessToken;
}
