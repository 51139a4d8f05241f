import { startTestPostgres, waitUntil } from '@guild-settings/testing';
import { type ProcessWorld, processWorld, spawnApi } from '@guild-settings/testing/api-programs';
import { CONTRACT } from '@guild-settings/testing/contract-check';
import { IDS, type Tokens } from '@guild-settings/testing/people';
import { answerOn, connectTo } from '@guild-settings/testing/raw-http';
import { fixture } from '@guild-settings/testing/stores';
import { describe, expect, test as plainTest } from 'vitest';
import { VERSION } from '../src/own-package.ts';
import { migratePostgres } from '../src/store/postgres/database.ts';

const test = plainTest.extend<{ api: ProcessWorld }>({ api: fixture(() => processWorld()) });

/** Logged when the time for running requests is over. */
const ABORTING = 'aborting the requests that have not finished';

test('the log has the version and the store first, without a password, and last the signal that ended the process', async () => {
  await using postgres = await startTestPostgres();
  const url = new URL(await postgres.createDatabase());
  await migratePostgres(url.href);
  for (const [database, store] of [
    [undefined, /^SQLite \/.*\/test\.db$/],
    [url.href, new RegExp(`^PostgreSQL ${url.host}${url.pathname}$`)],
  ] as const) {
    await using api = await processWorld(database === undefined ? {} : { DATABASE_URL: database });
    expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const lines = api
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const started = lines.find(({ msg }) => msg === 'starting');
    expect(started).toMatchObject({ version: VERSION, store: expect.stringMatching(store) });
    expect(lines.at(-1)).toMatchObject({ msg: 'closing', signal: 'SIGTERM' });
  }
});

test('API_URL, which an api and a dashboard of their own had, is said to have no effect', async () => {
  await using api = await processWorld({ API_URL: 'http://127.0.0.1:3000' });
  await api.waitForOutput(/API_URL is set but has no effect: this service serves the page itself/);
});

describe('a signal to stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('such as %s stops an idle process with exit code 0', async (signal) => {
    await using api = await processWorld();
    await askHealth(api.url);
    expect(await api.end(signal)).toEqual({ code: 0, signal: null });
    expect(api.output()).not.toContain(ABORTING);
  });

  test('does not wait for a connection that was opened in advance and never used', async ({ api }) => {
    const socket = await connectTo(api.url);
    await askHealth(api.url);
    expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(api.output()).not.toContain(ABORTING);
    socket.destroy();
  });

  test('lets a running request finish', async ({ api }) => {
    const { finish } = await halfSent(api);
    const ended = api.end('SIGTERM');
    await refused(api.url);
    const answer = await finish();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test('has the same effect when it is sent twice', async ({ api }) => {
    const { finish } = await halfSent(api);
    const ended = api.end('SIGTERM');
    await refused(api.url);
    api.signal('SIGTERM');
    api.signal('SIGINT');
    expect((await finish()).status).toBe(200);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test('aborts requests that wait for a slow Discord, before the process ends with exit code 1', async ({ api }) => {
    api.discord.faults.set({ kind: 'latency', ms: 2_500 });
    const waiting = Array.from({ length: 200 }, () => {
      const { accessToken } = api.discord.world.issueUserToken({
        userId: IDS.manager,
        applicationId: IDS.application,
        scopes: ['identify', 'guilds'],
      });
      const headers = { authorization: `Bearer ${accessToken}` };
      return fetch(`${api.url}/guilds/${IDS.guild}`, { headers }).catch(() => undefined);
    });
    await waitUntil(() => api.discord.calls.count() > 0);
    expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(api.output()).toContain(ABORTING);
    await Promise.all(waiting);
    expect(api.output()).not.toContain('"level":50');
  });

  test('closes the connection of a client that never finishes', async ({ api }) => {
    await halfSent(api);
    expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(api.output()).toContain(ABORTING);
  });
});

describe('an error at the start is explained in one line', () => {
  const config = { DISCORD_APPLICATION_ID: IDS.application, LOG_LEVEL: 'silent' };

  test('a port that is taken', async ({ api }) => {
    const { port } = new URL(api.url);
    const other = spawnApi({ ...config, PORT: port, DATABASE_URL: `file:${api.folder}/other.db` });
    expect(await other.exited).toEqual({ code: 1, signal: null });
    expect(other.output()).toMatch(new RegExp(`${port}.* set PORT to another port`));
    expect(other.output()).not.toContain('    at ');
  });
});

async function askHealth(url: string): Promise<void> {
  const answer = await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
  await CONTRACT.response('GET', '/healthz', answer);
}

async function halfSent(api: { readonly url: string; readonly tokens: Tokens }) {
  const head = `PATCH /guilds/${IDS.guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n`;
  const body = '{"prefix":"?"}';
  const request = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = await connectTo(api.url);
  socket.write(request + body.slice(0, 5));
  await askHealth(api.url);
  return {
    finish() {
      socket.write(body.slice(5));
      return answerOn(socket, request);
    },
  };
}

/** Waits until the service refuses new connections. */
async function refused(url: string): Promise<void> {
  const isRefused = () =>
    askHealth(url).then(
      () => false,
      (error: unknown) => {
        if (error instanceof TypeError) return true;
        throw error;
      },
    );
  await waitUntil(isRefused, { message: 'no more connections to be accepted' });
}
