import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { Retention } from '../src/domain/retention.ts';
import { startApi, type TestApi } from '../src/testing/api-resource.ts';
import { readChanges } from '../src/testing/change-log.ts';
import { IDS } from '../src/testing/people.ts';
import { openTestSqlite } from '../src/testing/store-commands.ts';

const { guild } = IDS;
const DAY = 86_400_000;

describe('a guild whose bot was kicked', () => {
  test('keeps its settings for 30 days, then they and their history are erased', async () => {
    await using api = await startApi();
    await report(api, { type: 'present', guild: { id: guild, name: 'n', icon: null } });
    await api.patch(guild, { prefix: '?' });
    await api.patch(IDS.otherGuild, { prefix: '?' });
    await report(api, { type: 'left', guild });

    api.clock.now += 30 * DAY;
    await retain(api);
    expect(readChanges(api)).toHaveLength(4);

    api.clock.now += 1;
    await retain(api);
    const log = readChanges(api);
    expect(log.map((change) => [change.revision, change.guild_id])).toEqual([
      [3, IDS.otherGuild],
      [5, expect.not.stringContaining(guild)],
    ]);
    expect(log[1]).toMatchObject({ before: {}, after: {}, reason: null });
  });

  test('has the defaults when the bot is invited again after that', async () => {
    await using api = await startApi();
    await report(api, { type: 'present', guild: { id: guild, name: 'n', icon: null } });
    await api.patch(guild, { prefix: '?' });
    await report(api, { type: 'left', guild });
    api.clock.now += 31 * DAY;
    await retain(api);
    await report(api, { type: 'present', guild: { id: guild, name: 'n', icon: null } });
    api.clock.now -= 31 * DAY;
    expect(await (await api.get(guild)).json()).toMatchObject({ prefix: '!' });
  });
});

describe('changes', () => {
  test('are kept 90 days; the records stay', async () => {
    await using api = await startApi();
    await api.patch(guild, { prefix: '1' });
    api.clock.now += 50 * DAY;
    await api.patch(guild, { prefix: '2' }, { token: freshToken(api) });
    api.clock.now += 40 * DAY + 1;
    await retain(api);
    expect(readChanges(api).map((change) => change.revision)).toEqual([2]);
    expect(await (await api.get(guild, { token: freshToken(api) })).json()).toMatchObject({ prefix: '2' });
  });
});

/** Runs retention once, with the test's time confirmed. */
async function retain(api: TestApi): Promise<void> {
  const store = openTestSqlite(api.databasePath);
  const clock = { nowMs: () => api.clock.now, monotonicMs: () => api.clock.now };
  const { retention: times } = readConfig({ DISCORD_APPLICATION_ID: IDS.application });
  await new Retention({ store, clock, log: api.app.log, times, confirmedUntilMs: api.clock.now }).enforce();
  await store.close();
}

function freshToken({ discord }: TestApi): string {
  const scopes = ['identify', 'guilds'] as const;
  return discord.world.issueUserToken({ userId: IDS.manager, applicationId: IDS.application, scopes }).accessToken;
}

async function report(api: TestApi, body: object): Promise<void> {
  const { accessToken } = api.discord.world.issueClientCredentialsToken({
    applicationId: IDS.application,
    scopes: ['applications.commands.update'],
  });
  const { status } = await api.send('/trpc/presence.report', { method: 'POST', token: accessToken, body });
  expect(status).toBe(200);
}
