import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import {
  freePort,
  HAS_NGINX,
  prepareNginx,
  ResourceStack,
  startTestPostgres,
  temporaryFolder,
  waitUntil,
} from '@guild-settings/testing';
import { Agent, request as undiciRequest } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  commandsOf,
  environmentOf,
  freshGuild,
  migrate,
  recordsIn,
  request,
  revisionIn,
  startApi,
  startReader,
  TOKEN,
  type Watched,
} from './programs.ts';
import { CURRENT, folderOf, makeVersions, NEXT } from './versions.ts';

const BACK_UP = fileURLToPath(new URL('../../../../deploy/backup.sh', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('../../../api/dist', import.meta.url));

/** Longest time without a response while the only process is replaced. */
const MAX_PAUSE_MS = 5_000;

let resources: ResourceStack;
let discord: DiscordSim;
beforeEach(async () => {
  await makeVersions();
  resources = new ResourceStack();
  discord = resources.use(await startWorld());
});
afterEach(() => resources[Symbol.asyncDispose]());

describe('an upgrade to the next version, under load', () => {
  test.skipIf(!HAS_NGINX)(
    'on PostgreSQL, of two processes behind nginx: no request fails, and no write or event is lost',
    async () => {
      const postgres = resources.use(await startTestPostgres());
      const env = { ...environmentOf(discord, ''), DATABASE_URL: await postgres.createDatabase() };
      const ports = [await freePort(), await freePort()];
      const nginx = resources.use(await prepareNginx({ 3000: ports[0] ?? 0, 3001: ports[1] ?? 0 }));
      const start = (version: string, port: number) => startApi(folderOf(version), { ...env, PORT: String(port) });
      await migrate(folderOf(CURRENT), env);
      const olds = await Promise.all(ports.map(async (port) => resources.use(await start(CURRENT, port))));
      await nginx.start();
      const reader = resources.use(startReader(folderOf(CURRENT), { NODE_EXTRA_CA_CERTS: nginx.certificate }));
      await reader.send('watch', { url: nginx.urls.service, token: TOKEN });
      const load = startLoad(nginx.urls.service, readFileSync(nginx.certificate));
      await load.more();

      // As in docs/operate.md: first the schema, then one process after another.
      await migrate(folderOf(NEXT), env);
      await load.more();
      for (const old of olds) {
        expect(await old.end('SIGTERM')).toEqual({ code: 0, signal: null });
        resources.use(await start(NEXT, Number(new URL(old.url).port)));
        await load.more();
      }
      await load.stop();
      print('PostgreSQL', load);
      expect(load.failures).toEqual([]);
      await expectKept(olds[0]?.url ?? '', load);

      let watched: Watched = { events: [], failures: [] };
      const last = Math.max(...load.acknowledged.map(({ revision }) => revision));
      await waitUntil(async () => {
        watched = await reader.send<Watched>('watched');
        return (watched.events.at(-1)?.cursor?.revision ?? 0) >= last;
      });
      expectFollowed(watched, load);
    },
  );

  test('on SQLite, of the only process: the service is away for at most five seconds, and no write is lost', async () => {
    const folder = resources.use(temporaryFolder());
    const env = { ...environmentOf(discord, folder.file('api.db')), PORT: String(await freePort()) };
    const old = resources.use(await startApi(folderOf(CURRENT), env));
    const load = startLoad(old.url);
    await load.more();
    expect(await old.end('SIGTERM')).toEqual({ code: 0, signal: null });
    resources.use(await startApi(folderOf(NEXT), env));
    await load.more();
    await load.stop();
    print('SQLite', load);
    await expectKept(old.url, load);
    // A machine that is busy otherwise proves nothing about the pause.
    const isQuiet = (loadavg()[0] ?? 0) <= 2 * availableParallelism();
    if (isQuiet) expect(load.longestPauseMs()).toBeLessThan(MAX_PAUSE_MS);
  });
});

test('a copy that is made under load has every write from before, and a replica follows when it is restored', async () => {
  const folder = resources.use(temporaryFolder());
  const PORT = String(await freePort());
  const start = (file: string) => startApi(folderOf(CURRENT), { ...environmentOf(discord, folder.file(file)), PORT });
  for (const name of ['program', 'backups', 'restored']) mkdirSync(folder.file(name));
  copyFileSync(BACK_UP, folder.file('program/backup.sh'));
  symlinkSync(PROGRAMS, folder.file('program/dist'));

  const before = resources.use(await start('api.db'));
  const reader = commandsOf(resources.use(startReader(folderOf(CURRENT))), before.url);
  await reader.openReplica(folder.file('replica.db'));
  const load = startLoad(before.url);
  await load.more();
  const acknowledged = load.acknowledged.length;
  await promisify(execFile)('sh', [folder.file('program/backup.sh'), folder.file('api.db'), folder.file('backups')]);
  await load.more();
  await load.stop();
  const writes = byRevision(load.acknowledged);
  await reader.reaches(writes.at(-1)?.revision ?? 0);
  await before.end('SIGTERM');

  const [copy = ''] = readdirSync(folder.file('backups')).filter((name) => name.endsWith('.db'));
  copyFileSync(folder.file(`backups/${copy}`), folder.file('restored/api.db'));
  copyFileSync(folder.file('backups/erasures'), folder.file('restored/api.db-erasures'));
  const restored = resources.use(await start('restored/api.db'));
  const { events } = await reader.watch();
  const last = events.at(-1)?.cursor.revision ?? 0;
  const [kept, lost] = [
    writes.filter(({ revision }) => revision <= last),
    writes.filter(({ revision }) => revision > last),
  ];
  expect(load.acknowledged.slice(0, acknowledged).filter((write) => lost.includes(write))).toEqual([]);
  expect(lost.length).toBeGreaterThan(0);
  expect(await storedWrites(restored.url, new Set(kept.map(({ guild }) => guild)))).toEqual(kept);

  const prefixes = new Map(writes.map(({ guild }) => [guild, '!']));
  for (const { guild, prefix } of kept) prefixes.set(guild, prefix);
  await waitUntil(async () => {
    const { settings } = await reader.replica(...prefixes.keys());
    return [...prefixes].every(([guild, prefix]) => settings[guild]?.prefix === prefix);
  });
});

function print(store: string, load: Load): void {
  const { acknowledged, failures } = load;
  const counts = `${load.answered()} requests answered, ${acknowledged.length} of them writes; ${failures.length} failed`;
  const busy = loadavg()[0]?.toFixed(1);
  console.log(
    `${store}: ${counts}; longest pause ${Math.round(load.longestPauseMs())} ms; load of the machine ${busy}`,
  );
}

/** Checks that records and histories contain each acknowledged write once, and nothing else. */
async function expectKept(url: string, { acknowledged }: Load): Promise<void> {
  const stored = await storedWrites(url, new Set(acknowledged.map(({ guild }) => guild)));
  expect(stored).toEqual(byRevision(acknowledged));
}

/**
 * Checks that a watch that began before the load reconnected without a reset, and received only acknowledged changes,
 * in order, including the last one of each guild. Earlier ones of the same guild may be skipped.
 */
function expectFollowed({ events, failures }: Watched, { acknowledged }: Load): void {
  const types = events.map(({ event }) => event.type);
  expect(types.filter((type) => type === 'reset')).toHaveLength(1);
  expect(failures.length).toBeGreaterThan(0);
  const records = recordsIn({ events, failures });
  const writes = new Map(acknowledged.map((write) => [write.revision, write]));
  let before = 0;
  for (const { revision, guild } of records) {
    expect(revision).toBeGreaterThan(before);
    before = revision;
    expect({ guild: guild.id, prefix: guild.prefix, revision }).toEqual(writes.get(revision));
  }
  const received = new Map(records.map(({ guild, revision }) => [guild.id, revision]));
  expect(received).toEqual(new Map(acknowledged.map(({ guild, revision }) => [guild, revision])));
}

interface Acknowledged {
  readonly guild: string;
  readonly prefix: string;
  readonly revision: number;
}

type Load = ReturnType<typeof startLoad>;

const REQUESTS = 250;
const CALLERS = 8;

/** More than one, so that a watcher cannot just follow the newest change of a single guild. */
const GUILDS_OF_CALLER = 12;

/** Time after a failure: nothing listens while a process is replaced. */
const RETRY_MS = 10;

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Starts callers that write and read in turn, without a pause. Each write has a unique value, and is repeated until it
 * is acknowledged, so that a guild's history contains each value once.
 * @param ca the certificate of an HTTPS address
 */
function startLoad(url: string, ca?: Buffer) {
  const send = sender(url, ca);
  const acknowledged: Acknowledged[] = [];
  const failures: string[] = [];
  let [answered, longestPauseMs, lastAt] = [0, 0, performance.now()];
  let isStopped = false;

  async function succeed(method: 'GET' | 'PATCH', path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await send(method, path, body).catch(({ message }: Error) => ({
        status: 0,
        revision: 0,
        body: message,
      }));
      if (answer.status === 200) {
        const now = performance.now();
        answered += 1;
        longestPauseMs = Math.max(longestPauseMs, now - lastAt);
        lastAt = now;
        return answer;
      }
      failures.push(`${method} ${path}: ${answer.status} ${answer.body}`);
      await delay(RETRY_MS);
    }
  }

  async function call(caller: number): Promise<void> {
    const guilds = Array.from({ length: GUILDS_OF_CALLER }, freshGuild);
    for (let count = 0; !isStopped; count += 1) {
      const guild = guilds[count % guilds.length] ?? '';
      const prefix = `${caller}.${count}`;
      const { revision } = await succeed('PATCH', `/guilds/${guild}`, { prefix });
      acknowledged.push({ guild, prefix, revision });
      const read = await succeed('GET', `/guilds/${guild}`);
      if (read.revision !== revision) failures.push(`Expected revision ${revision}, read ${read.revision}`);
    }
  }

  const calls = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return {
    answered: () => answered,
    async more() {
      const enough = answered + REQUESTS;
      await waitUntil(() => answered >= enough, { message: `${enough} responses` });
    },
    longestPauseMs: () => longestPauseMs,
    /** The changes, in the order of their responses. */
    acknowledged,
    /** Failed requests, and reads without the previous write. */
    failures,
    /** Lets the running requests finish. */
    async stop() {
      isStopped = true;
      await calls;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly revision: number;
  readonly body: string;
}

/** Returns a function that sends one request on kept-alive connections. Unlike `fetch`, it never repeats a request. */
function sender(base: string, ca: Buffer | undefined) {
  const dispatcher = new Agent({ ...(ca && { connect: { ca } }) });
  return async (method: 'GET' | 'PATCH', path: string, body?: object): Promise<Answer> => {
    const {
      statusCode,
      headers,
      body: received,
    } = await undiciRequest(`${base}${path}`, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: statusCode, revision: revisionIn(String(headers.etag)), body: await received.text() };
  };
}

/**
 * Returns the changes in the histories of some guilds, in the order of revisions.
 * @throws Error for a guild whose record differs from its last change
 */
async function storedWrites(url: string, guilds: ReadonlySet<string>): Promise<Acknowledged[]> {
  const stored: Acknowledged[] = [];
  for (const guild of guilds) {
    const history = await historyOf(url, guild);
    const { body, response } = await request(`${url}/guilds/${guild}`);
    const { prefix, revision } = history[0] ?? {};
    if (body.prefix !== prefix || revisionIn(response.headers.get('etag')) !== revision) {
      throw new Error(`Expected ${prefix} at revision ${revision} in the record of ${guild}, received ${body.prefix}`);
    }
    stored.push(...history);
  }
  return byRevision(stored);
}

function byRevision(writes: readonly Acknowledged[]): Acknowledged[] {
  return [...writes].sort((one, other) => one.revision - other.revision);
}

interface Entry {
  readonly revision: number;
  readonly changes: Readonly<Record<string, { readonly to: unknown }>>;
}

/** Returns the changes of a guild, newest first. */
async function historyOf(url: string, guild: string): Promise<Acknowledged[]> {
  const writes: Acknowledged[] = [];
  for (let path: string | undefined = `/guilds/${guild}/history`; path !== undefined; ) {
    const { body, response } = await request(`${url}${path}`);
    for (const { revision, changes } of body.entries as readonly Entry[]) {
      writes.push({ guild, prefix: String(changes.prefix?.to), revision });
    }
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return writes;
}
