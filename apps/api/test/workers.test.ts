import { setTimeout as delay } from 'node:timers/promises';
import { parseCursor } from '@guild-settings/contract';
import { printedSeed, repetitions, startTestPostgres, waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApiProcess } from '../src/testing/api-process.ts';
import { openWatch } from '../src/testing/event-stream.ts';
import { IDS } from '../src/testing/people.ts';
import { connectToEach, type PinnedClient } from '../src/testing/pinned-client.ts';
import { PlainWatcher } from '../src/testing/plain-watcher.ts';
import { migratedDatabase } from '../src/testing/postgres-resource.ts';
import { type ProcessWorld, processWorld } from '../src/testing/process-world.ts';
import { halfClosedExchange } from '../src/testing/raw-http.ts';
import { seededRandom } from '../src/testing/seeded-random.ts';

const { guild, otherGuild } = IDS;
const WORKERS = 3;
const ALL = [{ id: 0, count: 1 }];
const workersWorld = () =>
  processWorld({ WORKERS: String(WORKERS), RATE_LIMIT_PER_MINUTE: '0', CHANGE_LOG_BYTES_PER_DAY: '0' });

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('with WORKERS, every process', () => {
  let world: ProcessWorld;
  beforeAll(async () => {
    world = await workersWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('sees a change from the moment of its response on, whichever process made it', async () => {
    const clients = await connectToEach(world, WORKERS);
    const readers = await connectToEach(world, WORKERS);
    const random = seededRandom(printedSeed('reads after writes'));
    const { manager: token } = world.tokens;
    let isDone = false;
    // Their requests are in the iterations of the event loop in which those of the test arrive.
    const background = readers.map(async (reader) => {
      while (!isDone) await reader.send(`/guilds/${guild}`, { token });
    });
    for (let round = 0; round < repetitions(50, 10_000); round++) {
      const writer = clients[Math.floor(random() * WORKERS)] as PinnedClient;
      const prefix = `${round}`;
      const written = await writer.send(`/guilds/${guild}`, { method: 'PATCH', token, body: { prefix } });
      expect(written.status).toBe(200);
      const read = await Promise.all(clients.map((client) => client.send(`/guilds/${guild}`, { token })));
      expect(read.map(({ text }) => (JSON.parse(text) as { prefix: string }).prefix)).toEqual(
        clients.map(() => prefix),
      );
      expect(read.map(({ headers }) => headers.etag)).toEqual(clients.map(() => written.headers.etag));
    }
    isDone = true;
    await Promise.all(background);
  });

  test('sends each change to its watchers, in order', async () => {
    await using fresh = await workersWorld();
    const clients = await connectToEach(fresh, WORKERS);
    const watchers = Array.from({ length: 2 * WORKERS }, () => new PlainWatcher(fresh.url, fresh.tokens.application));
    for (const watcher of watchers) watcher.open();
    await waitUntil(() => watchers.every(({ isLive }) => isLive));
    const rounds = repetitions(30, 1_000);
    for (let round = 1; round <= rounds; round++) {
      const client = clients[round % WORKERS] as PinnedClient;
      const request = { method: 'PATCH', token: fresh.tokens.manager, body: { prefix: `${round}` } };
      expect((await client.send(`/guilds/${round % 2 ? guild : otherGuild}`, request)).status).toBe(200);
      if (round % 3 === 0) await waitUntil(() => watchers.every(({ revision }) => revision === round));
    }
    for (const { records, revisions } of watchers) {
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      expect(records.at(-1)?.revision).toBe(rounds);
      expect(records.length).toBeGreaterThanOrEqual((2 * rounds) / 3);
    }
    for (const watcher of watchers) watcher.close();
  });

  test('answers Prefer: wait as live when the watchers of all processes have acknowledged', async () => {
    await using fresh = await workersWorld();
    const clients = await connectToEach(fresh, WORKERS);
    const { application, manager } = fresh.tokens;
    const watches = await Promise.all(
      clients.map(async (_, index) => {
        const watcher = { id: `watcher-${index}`, name: `bot-${index}`, shards: ALL };
        const watch = await openWatch(fresh.url, application, { watcher });
        watch.ended.catch(() => {});
        await waitUntil(() => watch.events.at(-1)?.type === 'live');
        return { ...watch, watcher };
      }),
    );
    for (const [index, client] of clients.entries()) {
      const body = { prefix: `${index}` };
      const headers = { prefer: 'wait=10' };
      const answer = client.send(`/guilds/${guild}`, { method: 'PATCH', token: manager, body, headers });
      await waitUntil(() =>
        watches.every(({ events }) => events.filter(({ type }) => type === 'guild').length > index),
      );
      for (const [at, { ids, watcher }] of watches.entries()) {
        const { shards, ...identity } = watcher;
        const acknowledgement = { watcher: identity, shards, cursor: parseCursor(ids.at(-1) ?? '') };
        // Its own connection waits for the answer.
        const by = clients[(index + 1 + (at % (WORKERS - 1))) % WORKERS] as PinnedClient;
        const request = { method: 'POST', token: application, body: acknowledgement };
        expect((await by.send('/trpc/guilds.acknowledge', request)).status).toBe(200);
      }
      expect((await answer).headers.arrival).toMatch(/^live; latency=\d+$/);
      for (const other of clients) {
        const { text } = await other.send(`/guilds/${guild}/arrival`, { token: manager });
        expect(JSON.parse(text)).toMatchObject({ state: 'live', watchers: watches.map(() => ({ state: 'live' })) });
      }
      const { text: metrics } = await client.send('/metrics');
      expect(metrics).toMatch(new RegExp(`^guild_settings_watchers\\{state="connected"[^}]*\\} ${WORKERS}$`, 'm'));
    }
    for (const watch of watches) watch.close();
  });

  test('responds to a client that closes its half of the connection', async () => {
    for (let round = 0; round < WORKERS; round++) {
      const body = `{"prefix":"half ${round}"}`;
      const head = `PATCH /guilds/${guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.tokens.manager}\r\n`;
      const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      expect((await halfClosedExchange(world.url, head + fields + body)).status).toBe(200);
    }
  });

  test('is one on PostgreSQL as well', async () => {
    await using server = await startTestPostgres();
    await using world = await processWorld({ WORKERS: '2', DATABASE_URL: await migratedDatabase(server) });
    const clients = await connectToEach(world, 2);
    for (const [index, client] of clients.entries()) {
      const request = { method: 'PATCH', token: world.tokens.manager, body: { prefix: `${index}` } };
      const { headers } = await client.send(`/guilds/${guild}`, request);
      for (const other of clients)
        expect((await other.send(`/guilds/${guild}`, { token: world.tokens.manager })).headers.etag).toBe(headers.etag);
    }
    expect(await world.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('responds with the metrics of all processes, each with its number', async () => {
    const clients = await connectToEach(world, WORKERS);
    for (const client of clients) {
      const { text } = await client.send('/metrics');
      const numbersOf = (metric: string) =>
        [...text.matchAll(new RegExp(`^${metric}\\{[^}]*worker="(\\d+)"[^}]*\\}`, 'gm'))].map(([, number]) => number);
      for (const metric of ['process_start_time_seconds', 'feed_watchers', 'nodejs_version_info'])
        expect(numbersOf(metric).sort(), metric).toEqual(['0', '1', '2']);
      expect(new Set(numbersOf('http_request_duration_seconds_count'))).toEqual(new Set(['0', '1', '2']));
      expect(text.match(/^# HELP feed_watchers /gm)).toHaveLength(1);
    }
    await Promise.all(Array.from({ length: 40 }, () => fetch(`${world.url}/metrics`)));
    expect(world.stderr()).toBe('');
  });

  test('that does not send its metrics is logged, and is 0 in guild_settings_worker_up', async () => {
    await using fresh = await workersWorld();
    const clients = await connectToEach(fresh, WORKERS);
    const first = clients.find(({ pid }) => pid === fresh.pid) as PinnedClient;
    const { pid: suspended } = clients.find(({ pid }) => pid !== fresh.pid) as PinnedClient;
    const up = async () => {
      const { text } = await first.send('/metrics');
      return [...text.matchAll(/^guild_settings_worker_up\{worker="\d"\} (\d)$/gm)].map(([, value]) => value).join('');
    };
    expect(await up()).toBe('111');
    process.kill(suspended, 'SIGSTOP');
    expect(await up()).toMatch(/^1(?:01|10)$/);
    await up();
    process.kill(suspended, 'SIGCONT');
    await waitUntil(async () => (await up()) === '111');
    const lines = () => fresh.output().match(new RegExp(`^.*"worker":${suspended}.*$`, 'gm')) ?? [];
    await waitUntil(() => lines().length === 2, { message: 'two lines about the worker in the log' });
    expect(lines().map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual([
      'a worker does not respond: it is suspended, or too busy',
      'a worker responds again',
    ]);
  });

  test('refuses what one process refuses, in the same words', async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '0', CHANGE_LOG_BYTES_PER_DAY: '1000' };
    const answersOf = async (world: ProcessWorld, { send }: Pick<PinnedClient, 'send'>) => {
      const { manager, plain, application, owner } = world.tokens;
      const patch = (token: string, body: unknown, headers = {}) =>
        send(`/guilds/${guild}`, { method: 'PATCH', token, body, headers });
      const report = { shard: { id: 0, count: 1 }, guilds: [{ id: otherGuild, name: 'Another guild', icon: null }] };
      const answers = [
        await patch(manager, { prefix: '?' }, { 'if-match': '"77"' }),
        await patch(manager, { prefix: '?' }, { 'if-none-match': '*' }),
        await patch(plain, { prefix: '?' }),
        await patch('unknown-token-of-nobody', { prefix: '?' }),
        await patch(manager, { prefix: 5, beta: 'x' }),
        await patch(manager, { prefix: '1' }),
        await patch(manager, { announcement_channel: 'x'.repeat(2_000) }),
        await patch(manager, { enabledFeatures: Array.from({ length: 90 }, (_, index) => `feature-${index}`) }),
        await send(`/guilds/${guild}`, { method: 'DELETE', token: owner, headers: { 'if-match': '"77"' } }),
        await send(`/guilds/${guild}/features/one`, { method: 'PUT', token: manager }),
        await send('/trpc/guilds.report', { method: 'POST', token: application, body: report }),
        await patch(manager, { prefix: '3' }),
      ];
      return answers.map(({ status, headers: { etag, 'retry-after': retryAfter, allow }, text }) => ({
        status,
        etag,
        isRetryTold: retryAfter !== undefined,
        allow,
        text: text.replace(/"retryAfter":\d+/, '"retryAfter":0').replace(/"updatedAt":"[^"]+"/, ''),
      }));
    };
    const worlds = [
      await processWorld(env),
      ...(await Promise.all([1, 2].map(() => processWorld({ ...env, WORKERS: '2' })))),
    ];
    const [one, ...many] = worlds as [ProcessWorld, ...ProcessWorld[]];
    try {
      const [single] = await connectToEach(one, 1);
      const expected = await answersOf(one, single as PinnedClient);
      expect(expected.map(({ status }) => status)).toContain(412);
      for (const [index, world] of many.entries()) {
        const client = (await connectToEach(world, 2)).find(({ pid }) => (pid === world.pid) === (index === 0));
        expect(await answersOf(world, client as PinnedClient)).toEqual(expected);
      }
    } finally {
      for (const world of worlds) await world[Symbol.asyncDispose]();
    }
  });
});

describe('processes that end:', () => {
  /** Sends changes on connections of their own until it is stopped. Returns the revisions that were acknowledged. */
  function startWrites(world: ProcessWorld) {
    const acknowledged: number[] = [];
    let isStopped = false;
    const writer = async (name: number) => {
      for (let round = 0; !isStopped; round++) {
        try {
          const response = await fetch(`${world.url}/guilds/${name % 2 ? guild : otherGuild}`, {
            method: 'PATCH',
            headers: { authorization: `Bearer ${world.tokens.manager}`, 'content-type': 'application/json' },
            body: JSON.stringify({ prefix: `${name}.${round}` }),
          });
          await response.arrayBuffer();
          if (response.status === 200) acknowledged.push(Number(response.headers.get('etag')?.slice(1, -1)));
        } catch {
          await delay(5);
        }
      }
    };
    const writers = Array.from({ length: 12 }, (_, name) => writer(name));
    return {
      acknowledged,
      async stop() {
        isStopped = true;
        await Promise.all(writers);
      },
    };
  }

  /** Returns the revisions of the change logs of both guilds. */
  async function loggedRevisions(world: ProcessWorld): Promise<Set<number>> {
    const revisions = new Set<number>();
    for (const id of [guild, otherGuild]) {
      for (let path: string | undefined = `/guilds/${id}/history?limit=100`; path !== undefined; ) {
        const response: Response = await fetch(new URL(path, world.url), {
          headers: { authorization: `Bearer ${world.tokens.manager}` },
        });
        const { entries } = (await response.json()) as { readonly entries: readonly { readonly revision: number }[] };
        for (const { revision } of entries) revisions.add(revision);
        path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      }
    }
    return revisions;
  }

  test('a worker that is killed loses nothing that was acknowledged, and is replaced', async () => {
    await using world = await workersWorld();
    const before = (await connectToEach(world, WORKERS)).map(({ pid }) => pid);
    const writes = startWrites(world);
    for (const pid of before.filter((one) => one !== world.pid)) {
      const { length } = writes.acknowledged;
      await waitUntil(() => writes.acknowledged.length > length + 50);
      process.kill(pid, 'SIGKILL');
    }
    const after = (await connectToEach(world, WORKERS)).map(({ pid }) => pid);
    await writes.stop();
    expect(after.filter((pid) => before.includes(pid))).toEqual([world.pid]);
    const logged = await loggedRevisions(world);
    expect(writes.acknowledged.filter((revision) => !logged.has(revision))).toEqual([]);
    expect(new Set(writes.acknowledged).size).toBe(writes.acknowledged.length);
    expect(world.output().match(/a worker has ended, and is replaced/g)).toHaveLength(WORKERS - 1);
  });

  test.concurrent.each([WORKERS, 3 * WORKERS])(
    'a worker that takes no messages is replaced, and %d connections in turn are served',
    async (count) => {
      await using world = await workersWorld();
      const before = (await connectToEach(world, WORKERS)).map(({ pid }) => pid);
      const suspended = before.find((pid) => pid !== world.pid) as number;
      process.kill(suspended, 'SIGSTOP');
      // The first one for the suspended worker is on the way to it, and closed with it.
      const answers = await Promise.allSettled(
        Array.from({ length: count }, () =>
          fetch(`${world.url}/guilds/${guild}`, { headers: { authorization: `Bearer ${world.tokens.manager}` } }),
        ),
      );
      const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 'closed'));
      expect(statuses.filter((status) => status === 'closed').length).toBeLessThanOrEqual(1);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(count - 1);
      expect(isAlive(suspended)).toBe(false);
      expect(world.output()).toMatch(
        new RegExp(`"worker":${suspended},"msg":"a worker takes no messages, and is killed"`),
      );
      const after = (await connectToEach(world, WORKERS)).map(({ pid }) => pid);
      expect(after).not.toContain(suspended);
    },
  );

  test('when the first process is killed, the workers end, and neither the port nor the file is in use', async () => {
    await using world = await workersWorld();
    const pids = (await connectToEach(world, WORKERS)).map(({ pid }) => pid);
    const writes = startWrites(world);
    await waitUntil(() => writes.acknowledged.length > 50);
    await world.end('SIGKILL');
    await waitUntil(() => !pids.some(isAlive), { message: 'the end of all processes', timeoutMs: 5_000 });
    await writes.stop();
    const env = { DATABASE_URL: `file:${world.folder}/test.db`, PORT: new URL(world.url).port, WORKERS: '2' };
    const common = { DISCORD_API_URL: world.discord.apiUrl, DISCORD_APPLICATION_ID: IDS.application };
    await using again = await startApiProcess({ ...common, RATE_LIMIT_PER_MINUTE: '0', ...env });
    expect(again.url).toBe(world.url);
    const logged = await loggedRevisions({ ...world, url: again.url });
    expect(writes.acknowledged.filter((revision) => !logged.has(revision))).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s to all processes answers the requests that run, and ends',
    async (signal) => {
      await using world = await workersWorld();
      const clients = await connectToEach(world, WORKERS);
      const watcher = { id: 'watcher-a', name: 'bot', shards: ALL };
      const watch = await openWatch(world.url, world.tokens.application, { watcher });
      watch.ended.catch(() => {});
      await waitUntil(() => watch.events.at(-1)?.type === 'live');
      const token = world.tokens.manager;
      const answers = clients.map((client, index) =>
        client.send(`/guilds/${guild}`, {
          method: 'PATCH',
          token,
          body: { prefix: `${index}` },
          headers: { prefer: 'wait=30' },
        }),
      );
      await waitUntil(() => parseCursor(watch.ids.at(-1) ?? '')?.revision === WORKERS);
      // As a terminal and a service manager do.
      for (const { pid } of clients) process.kill(pid, signal);
      const { code } = await world.exited;
      expect(code).toBe(0);
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(clients.map(() => 200));
      expect(clients.filter(({ pid }) => isAlive(pid))).toEqual([]);
      expect(world.output().match(/"msg":"closing"/g)).toHaveLength(1);
    },
  );
});
