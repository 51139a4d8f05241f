import { MANAGE_GUILD } from '@guild-settings/discord-sim/testing/world';
import { queryPostgres, repetitions, startTestPostgres, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { startApi } from '@guild-settings/testing/api';
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

  test('a person logs in at one, works at the other, and is logged out of both at once', async () => {
    const [one, other] = processes;
    const browser = await loggedInAt(one);
    const there = browser.at(other.url);
    const stream = await there.follow();
    expect((await there.call('guilds.update', { guild: IDS.guild, prefix: 'there' })).status).toBe(200);
    expect(await (await browser.call('guilds.get')).text()).toContain('"prefix":"there"');
    const before = there.copy();
    expect((await browser.logout()).status).toBe(204);
    expect([await before.status(), await before.at(one.url).status()]).toStrictEqual([401, 401]);
    expect(await stream.whole).toMatch(OVER);
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
      await program.waitForOutput(/the notifications of commits are lost/);
      await program.waitForOutput(/the notifications of commits are received again/);
    }
  });

  test('many requests at once in both, when the access token has expired: Discord is asked once', async () => {
    const [one, other] = processes;
    const browser = await loggedInAt(one);
    await queryPostgres(database, 'UPDATE sessions SET tokens_expire_at = 0');
    const before = refreshes();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => browser.at((n % 2 === 0 ? one : other).url).status()),
    );
    expect([new Set(statuses), refreshes() - before]).toStrictEqual([new Set([200]), 1]);
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
    // The new pair of tokens is used for the first time when Discord checks it.
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
    // The lease of the killed process is over, which takes 20 seconds.
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

const PEOPLE = repetitions(60, 100);
/** As many as the service gives a person. */
const STREAMS = 5;

test(`${PEOPLE * STREAMS} streams of sessions: each receives a change, a logout ends those of one session, and a shutdown all others`, async () => {
  await using api = await startApi(PAGE_ENV);
  const ids = Array.from({ length: PEOPLE }, (_, n) => String(600_000_000_000_000_000n + BigInt(n)));
  for (const id of ids) {
    api.discord.world.addUser({ id, username: `person${id}` });
    api.discord.world.addMember(IDS.guild, id, { permissions: MANAGE_GUILD });
  }
  const people = await Promise.all(
    ids.map(async (person) => {
      const browser = await loggedIn(api, { person });
      return { browser, streams: await Promise.all(Array.from({ length: STREAMS }, () => browser.follow())) };
    }),
  );
  const streams = people.flatMap((person) => person.streams);
  const [first] = people as [(typeof people)[0]];
  // A person has five streams at a time, in all of their sessions together.
  const another = await loggedIn(api, { person: first.browser.person });
  expect(await (await another.call('guilds.follow')).text()).toContain('/problems/too-many-streams');
  expect((await first.browser.call('guilds.update', { guild: IDS.guild, prefix: 'many' })).status).toBe(200);
  await waitUntil(() => streams.every((stream) => stream.text().includes('"prefix":"many"')), {
    message: 'the change in every stream',
  });
  const ends = { over: 0, shutdown: 0 };
  for (const { whole } of streams) {
    void whole.then((text) => {
      if (text.includes('/problems/not-authenticated')) ends.over += 1;
      if (text.includes('"reason":"shutdown"')) ends.shutdown += 1;
    });
  }
  await first.browser.logout();
  await waitUntil(() => ends.over === STREAMS);
  const token = api.tokens.application;
  const watchers = async () => (await api.send('/metrics', { token })).text();
  await waitUntil(async () => (await watchers()).includes(`feed_watchers ${(PEOPLE - 1) * STREAMS}\n`), {
    message: 'the streams of the others alone',
  });
  await api.app.close();
  await Promise.all(streams.map(({ whole }) => whole));
  expect(ends).toStrictEqual({ over: STREAMS, shutdown: (PEOPLE - 1) * STREAMS });
});
