import { queryPostgres, startTestPostgres, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { type ApiProcess, startApiProcess } from '@guild-settings/testing/api-programs';
import { Browser, loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS, startWorld } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

/** The end of a stream whose session has ended. */
const OVER = /event: serialized-error\ndata: \{.*"\/problems\/not-authenticated".*\}\n\n$/s;

const postgres = await startTestPostgres();
const folder = temporaryFolder();
const { discord } = await startWorld(Date.now);
afterEach(() => discord.faults.clear());
afterAll(async () => {
  await discord.close();
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const start = (DATABASE_URL: string) =>
  startApiProcess({
    ...PAGE_ENV,
    DATABASE_URL,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: IDS.application,
  });

const browserAt = ({ url }: ApiProcess) => new Browser({ url, discord });
const loggedInAt = ({ url }: ApiProcess) => loggedIn({ url, discord });
const calls = (path: string) => discord.calls.count({ path });
const refreshes = () => calls('/oauth2/token');

describe('two processes on PostgreSQL', () => {
  let database: string;
  let processes: readonly [ApiProcess, ApiProcess];
  beforeAll(async () => {
    database = await migratedDatabase(postgres);
    processes = await Promise.all([start(database), start(database)]);
  });
  afterAll(async () => {
    for (const program of processes ?? []) await program.end('SIGKILL');
  });

  test('a session that one process ends has no stream in the other soon after the response', async () => {
    const [one, other] = processes;
    let leastMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && leastMs >= 150; attempt++) {
      let waitedMs = 0;
      // Three in a row: without notifications, the check of each second would hardly be in time for all of them.
      for (let n = 0; n < 3; n++) {
        const browser = await loggedInAt(one);
        const stream = await browser.at(other.url).follow();
        await browser.logout();
        const endedAt = performance.now();
        expect(await stream.whole).toMatch(OVER);
        waitedMs += performance.now() - endedAt;
      }
      leastMs = Math.min(leastMs, waitedMs);
    }
    expect(leastMs).toBeLessThan(150);
  });

  test('a session that ends while the connection for notifications is lost has no stream soon all the same', async () => {
    const [one, other] = processes;
    const browser = await loggedInAt(one);
    const stream = await browser.at(other.url).follow();
    await queryPostgres(
      database,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    );
    await browser.logout();
    expect(await stream.whole).toMatch(OVER);
    for (const program of processes) {
      await program.waitForOutput(/commit notifications are lost/);
      await program.waitForOutput(/commit notifications are received again/);
    }
  });
});

describe.each(['SQLite', 'PostgreSQL'])('kill -9 with %s', (kind) => {
  let database: string;
  beforeAll(async () => {
    database = kind === 'SQLite' ? `file:${folder.file('killed.db')}` : await migratedDatabase(postgres);
  });

  async function setSessions(values: string): Promise<void> {
    const statement = `UPDATE sessions SET ${values}`;
    if (kind === 'PostgreSQL') return void (await queryPostgres(database, statement));
    const file = new Database(database.slice('file:'.length));
    file.exec(statement);
    file.close();
  }

  test.each([
    // The new pair of tokens is first used when Discord checks it.
    ['between Discord’s response to a renewal and the response to the client', '/oauth2/@me', 1],
    // Discord has not read the request.
    ['before Discord has responded to a renewal', '/oauth2/token', 2],
  ])('%s: the person stays logged in', async (_, hanging, renewals) => {
    const killed = await start(database);
    const browser = await loggedInAt(killed);
    await setSessions('tokens_expire_at = 0');
    const [before, requests] = [refreshes(), calls(hanging)];
    discord.faults.set({ kind: 'hang' }, { path: hanging });
    const lost = browser.status().catch(() => 'lost');
    await waitUntil(() => calls(hanging) > requests, { message: `a request to ${hanging}` });
    await killed.end('SIGKILL');
    expect(await lost).toBe('lost');
    discord.faults.clear();
    // Ends the lease of the killed process, which takes 20 seconds.
    await setSessions('lease_until = lease_until - 60000');
    const next = await start(database);
    expect(await browser.at(next.url).status()).toBe(200);
    expect(refreshes() - before).toBe(renewals);
    await next.end('SIGKILL');
  });
});

test('SIGTERM ends the process in order although a stream of a session is open', async () => {
  const program = await start(`file:${folder.file('stopped.db')}`);
  const browser = browserAt(program);
  await browser.login();
  expect((await browser.open('/')).status).toBe(200);
  const stream = await browser.follow();
  program.signal('SIGTERM');
  expect(await stream.whole).toContain('data: {"type":"ended","reason":"shutdown"}');
  expect((await program.exited).code).toBe(0);
  for (const secret of [PAGE_ENV.SESSION_KEY, PAGE_ENV.DISCORD_CLIENT_SECRET, browser.session])
    expect(program.output()).not.toContain(secret);
});
