import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { type DashboardWorld, IDS, startDashboardWorld, type TestDashboard } from '../src/testing/dashboard-world.ts';

let world: DashboardWorld;
let dashboard: TestDashboard;
beforeAll(async () => {
  world = await startDashboardWorld();
  dashboard = await world.start();
});
afterEach(() => world?.discord.faults.clear());
afterAll(() => world?.[Symbol.asyncDispose]());

const locationOf = (response: Response) => response.headers.get('location');
const statusOf = async (browser: Browser) => (await dashboard.visit(browser, '/session')).status;

test('a person logs in on Discord’s page, returns to where they were, and has a session', async () => {
  const browser = new Browser();
  const response = await dashboard.login(browser, { to: `/guilds/${IDS.guild}?tab=history` });
  expect([response.status, response.headers.get('location')]).toStrictEqual([302, `/guilds/${IDS.guild}?tab=history`]);
  const session = await dashboard.visit(browser, '/session');
  expect(session.status).toBe(200);
  expect(await session.json()).toStrictEqual({
    user: { id: IDS.manager, name: 'Mika', avatar: null },
    locale: 'en-US',
    startedAt: new Date(world.clock.now).toISOString(),
    idleUntil: new Date(world.clock.now + 86_400_000).toISOString(),
    until: new Date(world.clock.now + 14 * 86_400_000).toISOString(),
  });
});

test('the settings are read and changed through the typed client, with entity tags', async () => {
  const browser = new Browser();
  await dashboard.login(browser);
  const read = await dashboard.call(browser, 'guilds.get', { guild: IDS.guild });
  expect(await read.json()).toMatchObject({ result: { data: { id: IDS.guild, prefix: '!' } } });
  const changed = await dashboard.call(
    browser,
    'guilds.update',
    { guild: IDS.guild, prefix: '?' },
    { method: 'POST', headers: { 'if-match': read.headers.get('etag') ?? '' } },
  );
  expect([changed.status, await changed.json()]).toMatchObject([200, { result: { data: { prefix: '?' } } }]);
  const stale = await dashboard.call(
    browser,
    'guilds.update',
    { guild: IDS.guild, prefix: '%' },
    { method: 'POST', headers: { 'if-match': read.headers.get('etag') ?? '' } },
  );
  expect([stale.status, await stale.json()]).toMatchObject([
    412,
    { error: { data: { problem: { type: '/problems/revision-mismatch', current: { prefix: '?' } } } } },
  ]);
});

test('a browser without a session cookie has no session, which is no failure', async () => {
  const session = await dashboard.visit(new Browser(), '/session');
  expect([session.status, await session.text()]).toStrictEqual([204, '']);
});

test('without a session it is 401, as a document, and within tRPC’s envelope', async () => {
  const session = await dashboard.visit(new Browser(), '/session', { headers: { cookie: 'session=over' } });
  expect([session.status, await session.json()]).toMatchObject([401, { type: '/problems/not-authenticated' }]);
  const read = await dashboard.call(new Browser(), 'guilds.get', { guild: IDS.guild });
  expect([read.status, await read.json()]).toMatchObject([
    401,
    { error: { code: -32_001, data: { problem: { type: '/problems/not-authenticated' } } } },
  ]);
});

test('the list of sessions and its page have one address, by what a browser accepts', async () => {
  const browser = new Browser();
  await dashboard.login(browser);
  const list = await dashboard.visit(browser, '/sessions');
  expect(await list.json()).toContainEqual(expect.objectContaining({ isCurrent: true }));
  const page = await dashboard.visit(browser, '/sessions', { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('content-type')]).toStrictEqual([200, 'text/html; charset=utf-8']);
  expect([list.headers.get('vary'), page.headers.get('vary')]).toStrictEqual(['accept', 'accept, accept-encoding']);
});

describe('a login that fails', () => {
  test('denied consent redirects to the page with the reason and the path to return to', async () => {
    const response = await dashboard.login(new Browser(), { isGranted: false, to: '/guilds/1' });
    expect(locationOf(response)).toBe('/?login=denied&to=%2Fguilds%2F1');
  });

  test('a code that has expired at Discord', async () => {
    const change = () => {
      world.clock.now += 200_000;
    };
    expect(locationOf(await dashboard.login(new Browser(), { change }))).toBe('/?login=expired');
  });

  test.each(['/oauth2/token', '/users/@me'])('Discord does not respond as it should at %s', async (path) => {
    const browser = new Browser();
    world.discord.faults.set({ kind: 'html' }, { path });
    expect(locationOf(await dashboard.login(browser))).toBe('/?login=failed');
    world.discord.faults.set({ kind: 'close-socket' }, { path });
    expect(locationOf(await dashboard.login(browser))).toBe('/?login=failed');
    expect(await statusOf(browser)).toBe(204);
  });

  test('a cookie of a login that another key has encrypted', async () => {
    const browser = new Browser();
    const other = await world.start({ SESSION_KEY: '11'.repeat(32), PORT: '0' });
    await other.visit(browser, '/login');
    const response = await dashboard.visit(browser, '/callback?code=x&state=y');
    expect(locationOf(response)).toBe('/?login=expired');
  });
});
