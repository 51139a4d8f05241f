import { waitUntil } from '@guild-settings/testing';
import { test as apiTest, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture, openTestSqlite, readChanges } from '@guild-settings/testing/stores';
import { describe, expect } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { Retention } from '../src/domain/retention.ts';

const test = apiTest.extend<{ left: TestApi }>({ left: fixture(startWithLeftGuild) });

const { guild } = IDS;
const DAY = 86_400_000;
const { retention: times } = readConfig({ DISCORD_APPLICATION_ID: IDS.application });

const off = (offsetMs: number): Clock => ({ nowMs: () => Date.now() + offsetMs, monotonicMs: () => performance.now() });

describe('a start with the clock 32 days ahead', () => {
  test('erases no guild that the bot has just left, reports it in the log and in /readyz, and continues when the clock was corrected', async ({
    left: api,
  }) => {
    const history = readChanges(api);
    await using ahead = await startAgain(api, off(32 * DAY));
    await waitUntil(() => ahead.log().includes('Retention is stopped'));
    expect(readChanges(api)).toEqual(history);
    expect(errorLines(ahead)).toEqual([
      expect.stringMatching(/Expected a clock within 3 days of the last retention run, .*; received .*restart with/),
    ]);
    const answer = await ahead.send('/readyz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'ok',
      retention: { status: 'stopped', reason: expect.stringContaining('Expected a clock within 3 days') },
    });
    await ahead.app.close();
    await using right = await startAgain(api, off(0));
    expect(await (await right.send('/readyz')).json()).not.toHaveProperty('retention');
    expect(errorLines(right)).toEqual([]);
  });

  test('erases nothing at later starts, though its own changes are dated by that clock', async ({ left: api }) => {
    for (let times = 0; times < 2; times++) {
      await using ahead = await startAgain(api, off(32 * DAY));
      await waitUntil(() => ahead.log().includes('Retention is stopped'));
      expect((await ahead.patch(IDS.otherGuild, { prefix: `${times}` }, { token: freshToken(ahead) })).status).toBe(
        200,
      );
      await ahead.app.close();
    }
    expect(readChanges(api).filter((change) => change.guild_id === guild)).toHaveLength(3);
  });
});

describe('a service that was stopped for 40 days', () => {
  test('erases what is past its retention once an operator confirms the time, and not by a confirmation of another time', async ({
    left: api,
  }) => {
    const confirmed = async (fromNowMs: number) => {
      const env = { RETENTION_CONFIRMED_UNTIL: new Date(Date.now() + 40 * DAY + fromNowMs).toISOString() };
      await using late = await startAgain(api, off(40 * DAY), env);
      await waitUntil(() => /Retention is stopped|"msg":"retention"/.test(late.log()));
      await late.app.close();
      return readChanges(api).filter((change) => change.guild_id === guild).length;
    };
    expect(await confirmed(-1)).toBe(3);
    expect(await confirmed(2 * DAY)).toBe(3);
    expect(await confirmed(DAY / 2)).toBe(0);
  });
});

describe('the clock of a running process', () => {
  test.each([
    ['ahead', 30 * DAY],
    ['back', -30 * DAY],
  ])('stepped %s by 30 days stops retention until it is stepped back', async (_where, stepMs) => {
    await using api = await startWithLeftGuild();
    const clock = { offsetMs: 0 };
    await using retention = retentionOf(api, clock);
    await retention.enforce();
    expect(retention.state).toEqual({ status: 'running' });
    clock.offsetMs = stepMs;
    await retention.enforce();
    expect(retention.state.status).toBe('stopped');
    clock.offsetMs = 0;
    await retention.enforce();
    expect(retention.state).toEqual({ status: 'running' });
    expect(readChanges(api)).toHaveLength(3);
  });

  test('that is ahead a little more at each run stops retention before it is a month ahead', async ({ left: api }) => {
    const clock = { offsetMs: 0 };
    await using retention = retentionOf(api, clock);
    for (; clock.offsetMs < 35 * DAY; clock.offsetMs += DAY) await retention.enforce();
    expect(retention.state.status).toBe('stopped');
    expect(readChanges(api)).toHaveLength(3);
  });
});

test('a guild that is left while the clock is 31 days slow is kept for 30 days from then', async () => {
  await using api = await startApi({}, { clock: off(0) });
  await api.report({ type: 'present', guild: { id: guild, name: 'n', icon: null } });
  await api.app.close();
  await using back = await startAgain(api, off(-31 * DAY));
  await back.report({ type: 'left', guild });
  await back.app.close();
  await using right = await startAgain(api, off(0));
  await right.app.close();
  expect(readChanges(api).map((change) => change.after)).toEqual([expect.anything(), expect.anything()]);
});

function retentionOf({ databasePath, app }: TestApi, clock: { offsetMs: number }) {
  const store = openTestSqlite(databasePath);
  const clocks = { nowMs: () => Date.now() + clock.offsetMs, monotonicMs: () => performance.now() };
  const retention = new Retention({ store, clock: clocks, log: app.log, times, confirmedUntilMs: null });
  return Object.assign(retention, { [Symbol.asyncDispose]: () => store.close() });
}

/** A service that was stopped after the bot left a guild with settings; its file stays. */
async function startWithLeftGuild(): Promise<TestApi> {
  const api = await startApi({}, { clock: off(0) });
  await api.report({ type: 'present', guild: { id: guild, name: 'n', icon: null } });
  expect((await api.patch(guild, { prefix: '?' })).status).toBe(200);
  await api.report({ type: 'left', guild });
  await api.app.close();
  return api;
}

function startAgain(api: TestApi, clock: Clock, env: NodeJS.ProcessEnv = {}): Promise<TestApi> {
  return startApi({ DATABASE_URL: `file:${api.databasePath}`, ...env }, { clock });
}

function errorLines(api: TestApi): string[] {
  const lines = api.log().trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { readonly level: number; readonly msg: string });
  return entries.filter(({ level }) => level === 50).map(({ msg }) => msg);
}

function freshToken({ discord }: TestApi): string {
  const scopes = ['identify', 'guilds'] as const;
  const token = { userId: IDS.manager, applicationId: IDS.application, scopes, expiresInSeconds: 90 * 86_400 };
  return discord.world.issueUserToken(token).accessToken;
}
