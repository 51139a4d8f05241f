import { fileURLToPath } from 'node:url';
import {
  freePort,
  type Program,
  queryPostgres,
  startProgram,
  startTestPostgres,
  type TestPostgres,
} from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import {
  type DashboardWorld,
  IDS,
  startDashboardWorld,
  type TestDashboard,
} from '../../src/testing/dashboard-world.ts';
import { readStream } from '../../src/testing/open-stream.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const FOLLOW = `/trpc/guilds.follow?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;
const OVER = /event: serialized-error\ndata: \{.*"\/problems\/not-authenticated".*\}\n\n$/s;

let world: DashboardWorld;
let postgres: TestPostgres;
let database: string;
/** Logs people in; the sessions are those of the processes as well. */
let login: TestDashboard;
let processes: readonly { readonly url: string; readonly program: Program }[];

beforeAll(async () => {
  [world, postgres] = await Promise.all([startDashboardWorld(), startTestPostgres()]);
  database = await postgres.createDatabase();
  login = await world.start({ DATABASE_URL: database });
  const start = async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = {
      DISCORD_APPLICATION_ID: IDS.application,
      DISCORD_CLIENT_SECRET: 'the-secret-of-the-application',
      DISCORD_API_URL: world.discord.apiUrl,
      DASHBOARD_URL: url,
      PORT: new URL(url).port,
      SESSION_KEY: world.sessionKey,
      DATABASE_URL: database,
      API_URL: world.apiUrl,
    };
    const program = startProgram({ args: [MAIN], env });
    await program.waitForOutput(/listening at/);
    return { url, program };
  };
  processes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  for (const { program } of processes ?? []) await program.end('SIGKILL');
  await world?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
});

/** Logs in, and opens a stream at the second process. */
async function openSession() {
  const [first, second] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const browser = new Browser();
  await login.login(browser);
  const stream = await readStream(await browser.visit(`${second.url}${FOLLOW}`));
  /** Ends the session at the first process; resolves with the response. */
  const end = () => browser.visit(`${first.url}/logout`, { method: 'POST', body: {} });
  const id = browser.cookies.get('session') ?? '';
  /** Sends a request with the cookie that the session had. */
  const later = () => browser.visit(`${second.url}/session`, { headers: { cookie: `session=${id}` } });
  return { stream, end, later };
}

test('a session that one process ends has no stream in the other 50 ms after the response, and its next request is 401', async () => {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && leastMs >= 150; attempt++) {
    let waitedMs = 0;
    // Three in a row: without notifications, the check of each second would hardly be in time for all of them.
    for (let n = 0; n < 3; n++) {
      const { stream, end, later } = await openSession();
      expect((await end()).status).toBe(204);
      const endedAt = performance.now();
      expect(await stream.whole).toMatch(OVER);
      waitedMs += performance.now() - endedAt;
      expect((await later()).status).toBe(401);
    }
    leastMs = Math.min(leastMs, waitedMs);
  }
  expect(leastMs).toBeLessThan(150);
});

test('a session that ends while the connection for notifications is lost has no stream within a second, and they are received again', async () => {
  const { stream, end } = await openSession();
  await queryPostgres(
    database,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN dashboard%'`,
  );
  await end();
  expect(await stream.whole).toMatch(OVER);
  for (const { program } of processes) {
    await program.waitForOutput(/the notifications of ended sessions are lost/);
    await program.waitForOutput(/the notifications of ended sessions are received again/);
  }
});
