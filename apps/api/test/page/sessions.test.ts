import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { queryPostgres, startTcpProxy, startTestPostgres, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { copyDatabase } from '../../src/store/copy-database.ts';
import { backUp } from '../../src/store/sqlite/back-up.ts';

const HOUR_MS = 3_600_000;

/** The end of a stream whose session has ended. */
const OVER = /event: serialized-error\ndata: \{.*"\/problems\/not-authenticated".*\}\n\n$/s;

const postgres = await startTestPostgres();
const folder = temporaryFolder();
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Listed {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly lastUsedAt: string;
}

const TIMES = { startedAt: expect.any(String), lastUsedAt: expect.any(String) };

const listOf = async (browser: Browser) => (await (await browser.visit('/sessions')).json()) as Listed[];
const sessionStatus = async (browser: Browser) => (await browser.visit('/session')).status;
const end = (browser: Browser, id = '') => browser.visit(`/sessions${id && `/${id}`}`, { method: 'DELETE' });

/** Lets a day pass, and uses the session; the use is recorded asynchronously. */
async function useADayLater({ clock }: TestApi, browser: Browser): Promise<void> {
  clock.now += 23 * HOUR_MS;
  expect(await sessionStatus(browser)).toBe(200);
  const now = new Date(clock.now).toISOString();
  await waitUntil(async () =>
    (await listOf(browser)).some(({ isCurrent, lastUsedAt }) => isCurrent && lastUsedAt === now),
  );
}

describe.each(['SQLite', 'PostgreSQL'] as const)('with %s', (kind) => {
  let api: TestApi;
  /** The URL of another process of the same deployment; with SQLite there is only one process. */
  let second: string;
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = kind === 'SQLite' ? '' : await migratedDatabase(postgres);
    api = await startApi({ ...PAGE_ENV, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
    second = kind === 'SQLite' ? api.url : (await api.startBeside()).url;
  });
  afterEach(() => api.discord.faults.clear());
  afterAll(() => api?.[Symbol.asyncDispose]());

  const refreshes = () => api.discord.calls.count({ method: 'POST', path: '/oauth2/token' });

  /** Lets days pass, on each of which the person uses the session. */
  async function use(browser: Browser, days: number): Promise<void> {
    for (let day = 0; day < days; day++) await useADayLater(api, browser);
  }

  async function withExpiredToken(): Promise<Browser> {
    const browser = await loggedIn(api);
    await use(browser, 8);
    api.discord.calls.reset();
    return browser;
  }

  test('a session is known to every process, and is over after 24 hours without use', async () => {
    const browser = await loggedIn(api);
    expect([await browser.status(), await browser.at(second).status()]).toStrictEqual([200, 200]);
    api.clock.now += 24 * HOUR_MS + 1;
    expect([await browser.at(second).status(), await sessionStatus(browser)]).toStrictEqual([401, 401]);
  });

  test('a session is over after 14 days, however it is used', async () => {
    const browser = await loggedIn(api);
    await use(browser, 14);
    api.clock.now += 15 * HOUR_MS;
    expect(await sessionStatus(browser)).toBe(401);
  });

  test('one’s own sessions are listed with their devices, and one of them is ended by itself', async () => {
    const person = IDS.owner;
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
    const phone = await loggedIn(api, { person });
    api.clock.now += 120_000;
    const desk = await loggedIn(api, { person, headers: { 'user-agent': agent } });
    const list = await listOf(desk.at(second));
    expect(list).toStrictEqual([
      { id: expect.any(String), isCurrent: true, device: expect.stringContaining('Firefox'), ...TIMES },
      { id: expect.any(String), isCurrent: false, device: expect.any(String), ...TIMES },
    ]);
    // Neither the ids in browsers nor their hashes.
    for (const { session } of [phone, desk]) expect(JSON.stringify(list)).not.toContain(session);
    expect((await end(desk.at(second), list[1]?.id)).status).toBe(204);
    expect([await phone.status(), await desk.status()]).toStrictEqual([401, 200]);
    await end(desk);
    expect([await sessionStatus(desk), desk.cookies.size]).toStrictEqual([204, 0]);
  });

  test('the session of another person cannot be ended', async () => {
    const [mine, theirs] = [await loggedIn(api), await loggedIn(api, { person: IDS.owner })];
    const [{ id } = { id: '' }] = await listOf(theirs);
    await end(mine, id);
    expect(await theirs.status()).toBe(200);
  });

  test('logging out ends this session at once in every process, and leaves the person’s others with working tokens', async () => {
    const [browser, elsewhere] = [await loggedIn(api), await loggedIn(api)];
    const before = browser.copy();
    expect(await before.at(second).status()).toBe(200);
    expect((await browser.logout()).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    expect([await before.at(second).status(), await before.status()]).toStrictEqual([401, 401]);
    expect(await elsewhere.at(second).status()).toBe(200);
  });

  const ends: Readonly<Record<string, (browser: Browser, id: string | undefined) => Promise<unknown>>> = {
    'a logout': (browser) => browser.logout(),
    'the end of one session': (browser, id) => end(browser, id),
    'the end of all': (browser) => end(browser),
    'the erasure of the person': ({ person }) => forget(api, person),
  };
  test.each(Object.entries(ends))(
    'streams of a session end after %s in every process, and say so',
    async (_, endBy) => {
      const person = IDS.otherManager;
      const browser = await loggedIn(api, { person });
      const streams = [await browser.follow(), await browser.at(second).follow()];
      const before = browser.copy();
      await endBy(browser, (await listOf(browser)).find(({ isCurrent }) => isCurrent)?.id);
      for (const { whole } of streams) expect(await whole).toMatch(OVER);
      expect([await before.status(), await before.at(second).status()]).toStrictEqual([401, 401]);
      if (endBy === ends['the erasure of the person']) expect(await rowsOf(person)).toBe(0);
    },
  );

  test('twenty requests at once after the access token has expired: Discord is asked once', async () => {
    const browser = await withExpiredToken();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? browser : browser.at(second)).status()),
    );
    expect(new Set(statuses)).toStrictEqual(new Set([200]));
    expect([await browser.at(second).status(), refreshes()]).toStrictEqual([200, 1]);
  });

  test('a token that was revoked at Discord is renewed once; where that is refused, the session is over', async () => {
    const browser = await loggedIn(api);
    api.discord.calls.reset();
    await revokeAll(api, IDS.manager);
    api.clock.now += 120_000;
    expect(await Promise.all([browser.status(), browser.at(second).status()])).toStrictEqual([401, 401]);
    expect([refreshes(), await sessionStatus(browser.at(second))]).toStrictEqual([1, 401]);
  });

  test('while Discord does not respond to a renewal it is 503, and the session is valid afterwards', async () => {
    const browser = await withExpiredToken();
    for (const kind of ['html', 'close-socket'] as const) {
      api.discord.faults.set({ kind }, { path: '/oauth2/token' });
      const response = await browser.at(second).call('guilds.get');
      expect([response.status, await sessionStatus(browser)]).toStrictEqual([503, 200]);
      expect(await response.text()).toContain('/problems/discord-unavailable');
    }
    api.discord.faults.clear();
    expect(await browser.status()).toBe(200);
  });

  test('while Discord is away, a session that it has checked is served, and no session ends', async () => {
    const [known, unknown] = [await loggedIn(api), await loggedIn(api, { person: IDS.owner })];
    expect(await known.status()).toBe(200);
    api.discord.faults.set({ kind: 'close-socket' });
    api.clock.now += 120_000;
    expect([await known.status(), await unknown.status()]).toStrictEqual([200, 503]);
    expect([await sessionStatus(known), await sessionStatus(unknown)]).toStrictEqual([200, 200]);
    api.discord.faults.clear();
    api.clock.now += 120_000;
    expect([await known.status(), await unknown.status()]).toStrictEqual([200, 200]);
  });

  test('a renewal whose response was lost: Discord refuses the next one, and the session is over', async () => {
    const browser = await withExpiredToken();
    // Discord has issued the new pair, and its response is lost.
    api.discord.faults.set({ kind: 'close-mid-body' }, { path: '/oauth2/token', times: 1 });
    expect([await browser.status(), await browser.at(second).status()]).toStrictEqual([503, 401]);
    expect(await sessionStatus(browser)).toBe(401);
  });

  test('while the access token is valid, no request waits for its renewal, which is stored before the service stops', async () => {
    const browser = await loggedIn(api, { person: IDS.owner });
    await change(`tokens_expire_at = ${api.clock.now + 30_000}`);
    api.discord.faults.set({ kind: 'latency', ms: 2_000 }, { path: '/oauth2/token' });
    api.discord.calls.reset();
    expect([await browser.status(), await newestPairOf(IDS.owner)]).toStrictEqual([200, 1]);
    await waitUntil(() => refreshes() === 1);
    await api.restart();
    if (kind === 'SQLite') second = api.url;
    expect(await newestPairOf(IDS.owner)).toBe(2);
    expect(await browser.at(api.url).status()).toBe(200);
  });

  test('a renewal that has stalled until another one took over ends no session', async () => {
    const browser = await loggedIn(api, { person: IDS.owner });
    await change(`tokens_expire_at = ${api.clock.now - 1}`);
    api.discord.calls.reset();
    api.discord.faults.set({ kind: 'latency', ms: 1_500 }, { path: '/oauth2/token', times: 1 });
    const stalled = browser.status();
    await waitUntil(() => refreshes() === 1);
    await change('lease_until = 0');
    if (kind === 'PostgreSQL') expect(await browser.at(second).status()).toBe(200);
    expect([await stalled, await browser.status()]).toStrictEqual([200, 200]);
  });

  test('the lease of a killed process whose clock was ahead does not stand in the way of a renewal', async () => {
    const browser = await loggedIn(api, { person: IDS.owner });
    const later = Date.now() + HOUR_MS;
    await change(`tokens_expire_at = ${api.clock.now - 1}, lease_holder = 'killed', lease_until = ${later}`);
    expect(await browser.status()).toBe(200);
  });

  test('sessions of an old key are valid while it is listed, and sealed with the new one when they are used', async () => {
    const used = await loggedIn(api);
    const unused = await loggedIn(api);
    const key = randomBytes(32).toString('base64');
    const restart = async (SESSION_KEY: string) => {
      if (kind === 'PostgreSQL') return (await api.startBeside({ SESSION_KEY })).url;
      await api.restart({ SESSION_KEY });
      return api.url;
    };
    const rotating = await restart(`${key},${PAGE_ENV.SESSION_KEY}`);
    expect(await used.at(rotating).status()).toBe(200);
    const rotated = await restart(key);
    expect([await used.at(rotated).status(), await unused.at(rotated).status()]).toStrictEqual([200, 401]);
    if (kind === 'SQLite') {
      await api.restart();
      second = api.url;
    }
  });

  test('a backup from before a logout, restored: no cookie is a session, and Discord receives no refresh token', async () => {
    const [ended, kept] = [await loggedIn(api), await loggedIn(api)];
    await use(kept, 8);
    await ended.login();
    const before = ended.copy();
    const restored = kind === 'SQLite' ? backupOf(api) : await restoredDump(databaseUrl);
    await ended.logout();
    api.discord.calls.reset();
    const { url } = await api.startBeside({ DATABASE_URL: restored });
    for (const browser of [before, kept]) {
      expect(await Promise.all([browser.at(url).status(), sessionStatus(browser.at(url))])).toStrictEqual([401, 401]);
      await expect(browser.at(url).follow()).rejects.toThrow(/not-authenticated/);
    }
    expect(refreshes()).toBe(0);
    // People log in again, and the settings are those of the backup.
    const again = new Browser(api).at(url);
    await again.login();
    expect([await again.status(), (await listOf(again)).length]).toStrictEqual([200, 1]);
    expect(await kept.status()).toBe(200);
  });

  async function select(person: string): Promise<{ tokens_version: number }[]> {
    const query = `SELECT tokens_version FROM sessions WHERE user_id = '${person}'`;
    if (kind === 'PostgreSQL') return queryPostgres(databaseUrl, query);
    const file = new Database(api.databasePath, { readonly: true });
    const rows = file.prepare(query).all() as { tokens_version: number }[];
    file.close();
    return rows;
  }
  const rowsOf = async (person: string) => (await select(person)).length;
  const newestPairOf = async (person: string) =>
    Math.max(...(await select(person)).map(({ tokens_version: version }) => version));

  /** Changes the sessions of the owner in the database. */
  async function change(columns: string): Promise<void> {
    const query = `UPDATE sessions SET ${columns} WHERE user_id = '${IDS.owner}'`;
    if (kind === 'PostgreSQL') return void (await queryPostgres(databaseUrl, query));
    const file = new Database(api.databasePath);
    file.exec(query);
    file.close();
  }
});

const userToken = ({ discord }: TestApi, userId: string) =>
  discord.world.issueUserToken({ userId, applicationId: IDS.application, scopes: ['identify', 'guilds'] }).accessToken;

async function forget(api: TestApi, person: string): Promise<void> {
  expect((await api.call('users.forget', {}, { token: userToken(api, person) })).status).toBe(200);
}

/** Backs up the file of a running service, and returns the URL of the copy. */
function backupOf({ databasePath }: TestApi): string {
  const path = folder.file(`${randomBytes(4).toString('hex')}.db`);
  backUp(databasePath, path);
  copyFileSync(`${databasePath}-erasures`, `${path}-erasures`);
  return `file:${path}`;
}

/** Returns the URL of another database with all rows of the first, like a restored dump. */
async function restoredDump(from: string): Promise<string> {
  const to = await migratedDatabase(postgres);
  const tables = await queryPostgres<{ name: string }>(
    from,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables) {
    const [row] = await queryPostgres<{ rows: object[] }>(
      from,
      `SELECT coalesce(json_agg(t), '[]') AS rows FROM ${name} t`,
    );
    const rows = JSON.stringify(row?.rows).replaceAll("'", "''");
    await queryPostgres(to, `DELETE FROM ${name}`);
    await queryPostgres(to, `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, '${rows}')`);
  }
  await queryPostgres(to, "SELECT setval(pg_get_serial_sequence('epochs', 'number'), 1000)");
  return to;
}

/** Revokes a person's grants to the application, as in Discord's settings. */
async function revokeAll(api: TestApi, userId: string): Promise<void> {
  await fetch(`${api.discord.apiUrl}/oauth2/token/revoke`, {
    method: 'POST',
    body: new URLSearchParams({
      token: userToken(api, userId),
      client_id: IDS.application,
      client_secret: APPLICATION.clientSecret,
    }),
  });
}

test('a renewal whose process was killed is taken over when its time is up', async () => {
  const DATABASE_URL = await migratedDatabase(postgres);
  await using api = await startApi({ ...PAGE_ENV, DATABASE_URL });
  const browser = await loggedIn(api);
  for (let day = 0; day < 8; day++) await useADayLater(api, browser);
  const leaseMs = 500;
  const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  const begunAt = performance.now();
  await queryPostgres(DATABASE_URL, `UPDATE sessions SET lease_holder = 'killed', lease_until = ${now} + ${leaseMs}`);
  expect(await browser.status()).toBe(200);
  expect(performance.now() - begunAt).toBeGreaterThan(leaseMs / 2);
});

test('while the store cannot be written, sessions are read', async () => {
  await using api = await startApi(PAGE_ENV);
  const browser = await loggedIn(api);
  const db = new Database(api.databasePath);
  db.exec('BEGIN IMMEDIATE');
  // Later than the time of its last use, which cannot be recorded.
  api.clock.now += HOUR_MS;
  expect([await browser.status(), await sessionStatus(browser)]).toStrictEqual([200, 200]);
  db.exec('ROLLBACK');
  db.close();
});

test('while the database is away, the page is sent, a session is 503, and is valid afterwards', async () => {
  const url = new URL(await migratedDatabase(postgres));
  await using proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  await using api = await startApi({ ...PAGE_ENV, DATABASE_URL: url.href });
  const browser = await loggedIn(api);
  proxy.loseResponses({}, { thenRefuse: true });
  // The first lost response may be that of another query.
  await waitUntil(async () => (await sessionStatus(browser)) === 503);
  const response = await browser.visit('/session');
  expect([response.status, response.headers.get('retry-after')]).toStrictEqual([503, '1']);
  expect(await response.json()).toMatchObject({ type: '/problems/store-unavailable' });
  expect([await browser.status(), (await browser.open('/')).status]).toStrictEqual([503, 200]);
  proxy.restore();
  await waitUntil(async () => (await sessionStatus(browser)) === 200);
});

test('tokens that Discord has given are stored when the database, which was away then, is back', async () => {
  const DATABASE_URL = await migratedDatabase(postgres);
  await using api = await startApi({ ...PAGE_ENV, DATABASE_URL });
  const browser = await loggedIn(api);
  await queryPostgres(
    DATABASE_URL,
    `UPDATE sessions SET tokens_expire_at = ${api.clock.now - 1};
     CREATE SEQUENCE failures;
     CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM nextval('failures');
       RAISE EXCEPTION 'away' USING ERRCODE = '57P01';
     END $$;
     CREATE TRIGGER away BEFORE UPDATE OF tokens_version ON sessions FOR EACH ROW EXECUTE FUNCTION away()`,
  );
  const status = browser.status();
  const hasFailed = async () => {
    const [row] = await queryPostgres<{ is_called: boolean }>(DATABASE_URL, 'SELECT is_called FROM failures');
    return row?.is_called === true;
  };
  await waitUntil(hasFailed);
  await queryPostgres(DATABASE_URL, 'DROP TRIGGER away ON sessions');
  expect([await status, await browser.status()]).toStrictEqual([200, 200]);
});

test('after a restart on SQLite, nothing waits for the lease of the process that was killed', async () => {
  await using api = await startApi(PAGE_ENV);
  const browser = await loggedIn(api);
  await api.app.close();
  const file = new Database(api.databasePath);
  const lease = `lease_holder = 'killed', lease_until = ${Date.now() + 20_000}`;
  file.exec(`UPDATE sessions SET tokens_expire_at = ${api.clock.now - 1}, ${lease}`);
  file.close();
  await api.restart();
  expect(await browser.status()).toBe(200);
});

test('a role that may not read which database it is at does not start a service that would refuse every login', async () => {
  const DATABASE_URL = await migratedDatabase(postgres);
  const role = `plain_${randomBytes(4).toString('hex')}`;
  const all = ['TABLES', 'SEQUENCES'].map((kind) => `GRANT ALL ON ALL ${kind} IN SCHEMA public, drizzle TO ${role};`);
  await queryPostgres(
    DATABASE_URL,
    `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; GRANT USAGE ON SCHEMA public, drizzle TO ${role}; ${all.join(' ')}
     REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC`,
  );
  const asRole = Object.assign(new URL(DATABASE_URL), { username: role, password: 'plain' }).href;
  await expect(startApi({ ...PAGE_ENV, DATABASE_URL: asRole })).rejects.toThrow(/pg_control_system/);
  await queryPostgres(DATABASE_URL, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
});

test('copy leaves sessions out: no person is logged in at the PostgreSQL database', async () => {
  const DATABASE_URL = await migratedDatabase(postgres);
  await using api = await startApi(PAGE_ENV);
  const browser = await loggedIn(api);
  expect((await browser.call('guilds.update', { guild: IDS.guild, prefix: 'copied' })).status).toBe(200);
  await api.app.close();
  await copyDatabase({ path: api.databasePath, url: DATABASE_URL, onProgress: () => {} });
  expect(await queryPostgres(DATABASE_URL, 'SELECT * FROM sessions')).toStrictEqual([]);
  const { url } = await api.startBeside({ DATABASE_URL, ERASURE_LEDGER: `${api.databasePath}-erasures` });
  expect(await browser.at(url).status()).toBe(401);
  await browser.at(url).login();
});
