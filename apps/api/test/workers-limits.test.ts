import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IDS } from '../src/testing/people.ts';
import { connectToEach } from '../src/testing/pinned-client.ts';
import { type ProcessWorld, processWorld } from '../src/testing/process-world.ts';

const { guild } = IDS;
const WORKERS = 3;
const workersWorld = (env: NodeJS.ProcessEnv = {}) =>
  processWorld({ WORKERS: String(WORKERS), RATE_LIMIT_PER_MINUTE: '0', ...env });

describe('the processes of WORKERS are one service to', () => {
  let world: ProcessWorld;
  beforeAll(async () => {
    world = await workersWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('Discord: a token is checked once for all', async () => {
    const clients = await connectToEach(world, WORKERS);
    const { discord, tokens } = world;
    for (const [token, status, calls] of [
      [tokens.manager, 200, ['/oauth2/@me', '/users/@me/guilds']],
      [tokens.unknown, 401, ['/oauth2/@me']],
      [tokens.withoutGuilds, 403, ['/oauth2/@me']],
    ] as const) {
      const before = discord.calls.list().length;
      const statuses = async () =>
        (await Promise.all(clients.map(({ send }) => send(`/guilds/${guild}`, { token })))).map((one) => one.status);
      expect(await statuses()).toEqual(clients.map(() => status));
      expect(await statuses()).toEqual(clients.map(() => status));
      const paths = discord.calls
        .list()
        .slice(before)
        .map(({ path }) => path);
      expect(paths).toEqual(calls);
    }
  });

  test('every client: each states the name of the application that any of them has received', async () => {
    const [client, ...others] = await connectToEach(world, WORKERS);
    await client?.send(`/guilds/${guild}`, { token: world.tokens.manager });
    const nameAt = async ({ send }: (typeof others)[number]) =>
      (JSON.parse((await send('/application')).text) as { readonly name: string | null }).name;
    await waitUntil(async () => {
      const names = await Promise.all(others.map(nameAt));
      return names.every((name) => name === 'Settings of guilds');
    });
  });

  test('a client that is limited: the calls at all of them count', async () => {
    const limit = 20;
    await using limited = await workersWorld({ RATE_LIMIT_PER_MINUTE: String(limit) });
    const clients = await connectToEach(limited, WORKERS);
    const token = limited.tokens.manager;
    const call = async ({ send }: (typeof clients)[number]) => (await send(`/guilds/${guild}`, { token })).status;
    const [first, ...others] = clients;
    for (let calls = 0; calls < limit; calls += 1) expect(first && (await call(first))).toBe(200);
    expect(first && (await call(first))).toBe(429);
    for (const other of others) {
      await waitUntil(async () => (await call(other)) === 429);
    }
    // Another person is not limited.
    for (const { send } of clients)
      expect((await send(`/guilds/${guild}`, { token: limited.tokens.owner })).status).toBe(200);
  });

  test('a person: five streams are open at once, wherever, and no more', async () => {
    await connectToEach(world, WORKERS);
    const streams = await openStreams(world, 8);
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    const [open, ...more] = streams.filter(({ status }) => status === 200);
    open?.close();
    const again: OpenedStream[] = [];
    await waitUntil(async () => again.push(...(await openStreams(world, 1))) > 0 && again.at(-1)?.status === 200);
    const [refused] = await openStreams(world, 1);
    expect(refused?.status).toBe(429);
    for (const stream of [...more, ...again]) stream.close();
  });

  test('a person whose streams ended with a worker that was killed', async () => {
    const pids = (await connectToEach(world, WORKERS)).map(({ pid }) => pid);
    const streams = await openStreams(world, 5);
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const pid of pids.filter((one) => one !== world.pid)) process.kill(pid, 'SIGKILL');
    // Each worker had one of the five at least: connections are passed on in turn.
    const again: OpenedStream[] = [];
    await waitUntil(async () => {
      again.push(...(await openStreams(world, 1).catch(() => [])));
      return again.at(-1)?.status === 200;
    });
    for (const stream of [...streams, ...again]) stream.close();
  });
});

interface OpenedStream {
  readonly status: number;
  close(): void;
}

/** Opens streams at once, each on a connection of its own. */
function openStreams({ url, tokens }: ProcessWorld, count: number): Promise<OpenedStream[]> {
  const options = { agent: false, headers: { authorization: `Bearer ${tokens.manager}`, accept: 'text/event-stream' } };
  const open = () =>
    new Promise<OpenedStream>((resolve, reject) => {
      const request: ClientRequest = get(`${url}/guilds/${guild}/events`, options, (response: IncomingMessage) => {
        response.on('error', () => {}).resume();
        resolve({ status: response.statusCode ?? 0, close: () => request.destroy() });
      }).on('error', reject);
    });
  return Promise.all(Array.from({ length: count }, open));
}
