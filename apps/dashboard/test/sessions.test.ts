import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { queryPostgres } from '@guild-settings/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS, type TestDashboard } from '../src/testing/dashboard-world.ts';
import { openStream } from '../src/testing/open-stream.ts';
import {
  DATABASES,
  readGuildAt as read,
  sharedDeployments,
  sessionStatusAt as statusAt,
} from '../src/testing/shared-deployments.ts';

const HOUR_MS = 3_600_000;

const here = sharedDeployments();

const listAt = async (dashboard: TestDashboard, browser: Browser) =>
  (await (await dashboard.visit(browser, '/sessions')).json()) as { id: string; isCurrent: boolean }[];
const refreshes = () => here.world.discord.calls.count({ method: 'POST', path: '/oauth2/token' });

/** Lets days pass, on each of which the person uses the session. */
async function use(dashboard: TestDashboard, browser: Browser, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    here.world.clock.now += 23 * HOUR_MS;
    expect(await statusAt(dashboard, browser)).toBe(200);
  }
}

/** Logs in, and lets the time pass at which the access token has expired. */
async function loginWithExpiredToken(dashboard: TestDashboard): Promise<Browser> {
  const browser = new Browser();
  await dashboard.login(browser);
  await use(dashboard, browser, 8);
  here.world.discord.calls.reset();
  return browser;
}

describe.each(DATABASES)('with %s', (kind) => {
  let first: TestDashboard;
  /** Another process of the same deployment; SQLite has one process alone. */
  let second: TestDashboard;
  let database: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await here.createDatabase(kind);
    first = await here.world.start({ ...database, PORT: '0' });
    second = kind === 'SQLite' ? first : await here.world.start({ ...database, PORT: '0' });
  });

  test('a session is known to every process', async () => {
    const browser = new Browser();
    await first.login(browser);
    expect([await statusAt(first, browser), await statusAt(second, browser)]).toStrictEqual([200, 200]);
  });

  test('a session that is not used for 24 hours is over', async () => {
    const browser = new Browser();
    await first.login(browser);
    here.world.clock.now += 24 * HOUR_MS + 1;
    expect(await statusAt(second, browser)).toBe(401);
  });

  test('a session is over after 14 days, however it is used', async () => {
    const browser = new Browser();
    await first.login(browser);
    await use(first, browser, 14);
    here.world.clock.now += 15 * HOUR_MS;
    expect(await statusAt(first, browser)).toBe(401);
  });

  test('one’s own sessions are listed with their devices, and one of them is ended by itself', async () => {
    const [phone, desk] = [new Browser(), new Browser()];
    const personId = IDS.owner;
    await first.login(phone, { personId });
    here.world.clock.now += 120_000;
    await first.login(desk, { personId });
    const list = await listAt(second, desk);
    expect(list).toStrictEqual([
      expect.objectContaining({ isCurrent: true, id: expect.any(String) }),
      expect.objectContaining({ isCurrent: false, id: expect.any(String) }),
    ]);
    // Neither the ids that browsers have nor their hashes.
    expect(JSON.stringify(list)).not.toContain(desk.cookies.get('session'));
    const headers = { 'x-requested-by': 'dashboard' };
    await second.visit(desk, `/sessions/${list[1]?.id}`, { method: 'DELETE', headers });
    expect([await statusAt(first, phone), await statusAt(first, desk)]).toStrictEqual([401, 200]);
    await first.visit(desk, '/sessions', { method: 'DELETE', headers });
    expect([await statusAt(first, desk), desk.cookies.get('session')]).toStrictEqual([204, undefined]);
  });

  test('nobody ends the session of another person', async () => {
    const [mine, theirs] = [new Browser(), new Browser()];
    await first.login(mine);
    await first.login(theirs, { personId: IDS.owner });
    const [{ id } = { id: '' }] = await listAt(first, theirs);
    const headers = { 'x-requested-by': 'dashboard' };
    expect((await first.visit(mine, `/sessions/${id}`, { method: 'DELETE', headers })).status).toBe(204);
    expect(await statusAt(first, theirs)).toBe(200);
  });

  test('logging out ends this session at once in every process, and leaves the person’s others with working tokens', async () => {
    const [here, elsewhere] = [new Browser(), new Browser()];
    await first.login(here);
    await first.login(elsewhere);
    const id = here.cookies.get('session') ?? '';
    expect((await first.visit(here, '/logout', { method: 'POST', body: {} })).status).toBe(204);
    expect(here.cookies.has('session')).toBe(false);
    here.cookies.set('session', id);
    expect([await statusAt(first, here), await statusAt(second, here)]).toStrictEqual([401, 401]);
    expect((await read(second, elsewhere)).status).toBe(200);
  });

  test('the streams of a session end with it, in every process, and say so', async () => {
    const browser = new Browser();
    await first.login(browser);
    const [one, other] = await Promise.all([first, second].map((each) => openStream(each, browser)));
    const own = (await listAt(first, browser)).find(({ isCurrent }) => isCurrent);
    await first.visit(browser, `/sessions/${own?.id}`, {
      method: 'DELETE',
      headers: { 'x-requested-by': 'dashboard' },
    });
    for (const stream of [one, other]) {
      const text = await stream?.whole;
      expect(text).toMatch(/event: serialized-error\ndata: \{.*"\/problems\/not-authenticated".*\}\n\n$/s);
    }
  });

  test('twenty requests at once after the access token has expired: Discord is asked once', async () => {
    const browser = await loginWithExpiredToken(first);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => read(n % 2 === 0 ? first : second, browser)),
    );
    expect(responses.map(({ status }) => status)).toStrictEqual(Array.from({ length: 20 }, () => 200));
    expect(refreshes()).toBe(1);
    expect((await read(second, browser)).status).toBe(200);
    expect(refreshes()).toBe(1);
  });

  test('a token that was revoked at Discord is renewed once; where that is refused, the session is over', async () => {
    const browser = new Browser();
    await first.login(browser);
    here.world.discord.calls.reset();
    await revokeAll(IDS.manager);
    here.world.clock.now += 120_000;
    const responses = await Promise.all([read(first, browser), read(second, browser)]);
    expect(responses.map(({ status }) => status)).toStrictEqual([401, 401]);
    expect(refreshes()).toBe(1);
    expect(await statusAt(second, browser)).toBe(401);
  });

  test('Discord does not respond to a renewal: 503, and the session is valid when Discord responds again', async () => {
    const browser = await loginWithExpiredToken(first);
    for (const kind of ['html', 'close-socket'] as const) {
      here.world.discord.faults.set({ kind }, { path: '/oauth2/token' });
      const response = await read(second, browser);
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { error: { data: { problem: { type: '/problems/discord-unavailable' } } } },
      ]);
    }
    here.world.discord.faults.clear();
    expect((await read(first, browser)).status).toBe(200);
  });

  test('a renewal whose response was lost: Discord refuses the next one, and the session is over', async () => {
    const browser = await loginWithExpiredToken(first);
    // The new pair is at Discord, and its response is lost.
    here.world.discord.faults.set({ kind: 'close-mid-body' }, { path: '/oauth2/token', times: 1 });
    expect((await read(first, browser)).status).toBe(503);
    expect((await read(second, browser)).status).toBe(401);
    expect(await statusAt(first, browser)).toBe(401);
  });
});

test('a renewal whose process was killed is taken over when its time is up', async () => {
  const database = await here.createDatabase('PostgreSQL');
  const url = database.DATABASE_URL ?? '';
  const dashboard = await here.world.start({ ...database, PORT: '0' });
  const browser = await loginWithExpiredToken(dashboard);
  const leaseMs = 500;
  const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  const begunAt = performance.now();
  await queryPostgres(url, `UPDATE dashboard_sessions SET lease_holder = 'killed', lease_until = ${now} + ${leaseMs}`);
  expect((await read(dashboard, browser)).status).toBe(200);
  expect(performance.now() - begunAt).toBeGreaterThan(leaseMs / 2);
  expect(refreshes()).toBe(1);
});

test('two processes on one SQLite file: the second does not start', async () => {
  const one = await here.world.start({ PORT: '0' });
  const start = here.world.start({ DATABASE_URL: `file:${one.databasePath}`, PORT: '0' });
  await expect(start).rejects.toThrow(/Another process .* uses the file/);
});

/** Revokes what a person has granted the application, as they can in Discord's settings. */
async function revokeAll(userId: string): Promise<void> {
  const { accessToken } = here.world.discord.world.issueUserToken({
    userId,
    applicationId: IDS.application,
    scopes: ['identify', 'guilds'],
  });
  await fetch(`${here.world.discord.apiUrl}/oauth2/token/revoke`, {
    method: 'POST',
    body: new URLSearchParams({
      token: accessToken,
      client_id: IDS.application,
      client_secret: APPLICATION.clientSecret,
    }),
  });
}
