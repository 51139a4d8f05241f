import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { watch } from '@guild-settings/client';
import { type Follow, Replica } from '@guild-settings/replica';
import Database from 'better-sqlite3';
import { createParser } from 'eventsource-parser';
import { compareSeries, measureRounds, median, percentile, type Row, rangeOf } from './bench.ts';
import { cpuMilliseconds, handleJobs, type Server, startPeer, startTask } from './processes.ts';
import { short } from './report.ts';
import { copyOf, guildId, seedSqlite, serveFile, TOKENS } from './service.ts';

const CHANGES_PER_SECOND = 300;

/** From the response to a PATCH until a replica returns the change, at the 99th percentile. */
export const propagation: Row = {
  id: 'propagation',
  figure: 'A change is in the memory of a bot, 99 times of 100 within',
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(context) {
    const { resources, folder } = context;
    const api = await serveFile(context, await seedSqlite(context, GUILDS));
    const events = resources.use(await startPeer('empty-event'));
    const task = resources.use(startTask<typeof tasks>('follow-rows'));
    const delaysTo =
      (to: PropagationJob['to'], { url }: Server) =>
      (seconds: number) =>
        task.run('propagate', { to, url, folder, changes: Math.ceil(seconds * CHANGES_PER_SECOND) });
    const found = await measureRounds(context, [
      { name: 'ours', measure: delaysTo('replica', api) },
      { name: 'empty-event', measure: delaysTo('listener', events) },
    ]);
    // All rounds together: in one round, a single pause of the machine would determine the percentile.
    const [ours = [], empty = []] = found.map(({ values }) => values.flat());
    return {
      ours: percentile(ours, 0.99),
      peers: { 'empty-event': percentile(empty, 0.99) },
      notes: [`medians: ${short(median(ours) * 1_000)} µs, and ${short(median(empty) * 1_000)} µs of the empty event`],
    };
  },
};

/** A fresh replica receives every guild, into memory and a file of its own. */
export const resync: Row = {
  id: 'resync',
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  async measure(context) {
    const { resources, folder, profile } = context;
    const guilds = profile.manyGuilds;
    const file = await seedSqlite(context, guilds);
    const lines = resources.use(await startPeer('json-lines', await copyOf(file)));
    const api = await serveFile(context, file);
    const task = resources.use(startTask<typeof tasks>('follow-rows'));
    const sync =
      (from: 'service' | 'json-lines', { url }: Server) =>
      () =>
        task.run('sync', { from, url, path: join(folder, 'fresh.db'), guilds });
    const series = await measureRounds(context, [
      { name: 'ours', measure: sync('service', api) },
      { name: 'json-lines', measure: sync('json-lines', lines) },
    ]);
    return { ...compareSeries(series), notes: [`${guilds.toLocaleString('en')} guilds`] };
  },
};

const WATCHERS = 1_000;

/** CPU time of the server for each event and watcher. Every watcher has received a change before the next one is made. */
export const fanOut: Row = {
  id: 'fanout-1000',
  unit: 'µs',
  goal: { is: 'at most', ratio: 20 },
  async measure(context) {
    const { resources, progress } = context;
    // Few guilds, so that a watch begins with few records.
    const api = await serveFile(context, await seedSqlite(context, 10));
    const loop = resources.use(await startPeer('socket-loop'));
    progress(`opening ${WATCHERS} watchers of each server`);
    const candidate = (name: string, { url, pid }: Server) => {
      const task = resources.use(startTask<typeof tasks>('follow-rows'));
      const measure = async (seconds: number) => {
        const before = cpuMilliseconds([pid]);
        const changes = await task.run('fanOut', { url, seconds });
        return ((cpuMilliseconds([pid]) - before) * 1_000) / (changes * WATCHERS);
      };
      return { name, measure };
    };
    const series = await measureRounds(context, [candidate('ours', api), candidate('socket-loop', loop)]);
    const compared = compareSeries(series);
    return {
      ...compared,
      // The goal applies to the time itself.
      ratio: compared.ours,
      spread: rangeOf(series[0]?.values ?? []),
      notes: [`${short(compared.ratio)} x the socket loop`],
    };
  },
};

const GUILDS = 100;

/** Between two changes, so that each is notified separately. */
const PAUSE_MS = 2;

const MIN_CHANGES = 3;

interface PropagationJob {
  readonly to: 'replica' | 'listener';
  readonly url: string;
  readonly changes: number;
  readonly folder: string;
}

type IsKnown = () => boolean;

/** Opened by the first job, and used by all. */
const known = new Map<PropagationJob['to'], IsKnown>();

const tasks = {
  /** Returns the milliseconds from the response to each change until the watcher knows the change. */
  async propagate({ to, url, changes, folder }: PropagationJob): Promise<number[]> {
    const isKnown = known.get(to) ?? (await (to === 'replica' ? openReplica(url, folder) : openListener(url)));
    known.set(to, isKnown);
    const delays: number[] = [];
    for (let count = 0; count < changes; count++) {
      await change(url, guildId(count % GUILDS));
      delays.push(await delayUntil(isKnown));
      await delay(PAUSE_MS);
    }
    return delays;
  },

  /** Returns the milliseconds until a fresh file has every guild. */
  async sync(job: { from: 'service' | 'json-lines'; url: string; path: string; guilds: number }): Promise<number> {
    for (const suffix of ['', '-wal', '-shm']) await rm(job.path + suffix, { force: true });
    const { ms, guilds } = await (job.from === 'service' ? replicate : copyLines)(job.url, job.path);
    if (guilds !== job.guilds) throw new Error(`Expected ${job.guilds} guilds from ${job.from}, received ${guilds}`);
    return ms;
  },

  /** Makes changes, each when all watchers have received the last. Returns their number. */
  async fanOut({ url, seconds }: { url: string; seconds: number }): Promise<number> {
    for (; open < WATCHERS; open += CONCURRENCY)
      await Promise.all(Array.from({ length: CONCURRENCY }, () => openWatcher(url)));
    const until = performance.now() + seconds * 1_000;
    let changes = 0;
    for (; performance.now() < until || changes < MIN_CHANGES; changes++) {
      const { promise, resolve } = Promise.withResolvers<void>();
      missing = { count: WATCHERS, onAll: resolve };
      await Promise.all([promise, change(url, guildId(0))]);
    }
    return changes;
  },
};

let last = { id: '', prefix: '' };
let changes = 0;

const agent = new Agent({ keepAlive: true });

/** Changes a guild to a prefix that none has had. Uses `node:http`: the garbage of `fetch` would dominate the measurement. */
async function change(url: string, id: string): Promise<void> {
  changes += 1;
  last = { id, prefix: `${process.pid}-${changes}.` };
  const body = JSON.stringify({ prefix: last.prefix });
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
  const sent = request(`${url}/guilds/${id}`, { method: 'PATCH', headers, agent }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`Expected 200 of ${url}, received ${response.statusCode}`);
  await once(response.resume(), 'end');
}

/** Polls once per event loop iteration, with little garbage. */
function delayUntil(isKnown: IsKnown): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now();
    const poll = () => {
      if (isKnown()) resolve(performance.now() - start);
      else setImmediate(poll);
    };
    poll();
  });
}

const AUTHORIZATION = { authorization: `Bearer ${TOKENS.application}` };

async function openReplica(url: string, folder: string): Promise<IsKnown> {
  const replica = new Replica({ path: join(folder, 'replica.db'), follow: followOf(url) });
  replica.start();
  await replica.waitUntilLive();
  return () => replica.get(last.id).prefix === last.prefix;
}

function followOf(url: string): Follow {
  return ({ watcher: _, ...options }) => watch({ url, token: TOKENS.application, ...options });
}

async function openListener(url: string): Promise<IsKnown> {
  const before = changes;
  let received = -1;
  await listen(`${url}/events`, () => {
    received += 1;
  });
  return () => received === changes - before;
}

/** Receives and parses events as the service's client does. Resolves when the first one was received. */
async function listen(url: string, onEvent: (data: string) => void): Promise<void> {
  const [response] = (await once(get(url, { agent: false, headers: AUTHORIZATION }), 'response')) as [IncomingMessage];
  const first = Promise.withResolvers<void>();
  const parser = createParser({
    onEvent({ data }) {
      first.resolve();
      onEvent(data);
    },
  });
  response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
  response.on('close', () => {
    // A change would wait for it forever.
    throw new Error('A watcher was closed');
  });
  await first.promise;
}

async function replicate(url: string, path: string): Promise<{ ms: number; guilds: number }> {
  const replica = new Replica({ path, follow: followOf(url) });
  const started = performance.now();
  replica.start();
  await replica.waitUntilLive();
  const ms = performance.now() - started;
  await replica.close();
  return { ms, guilds: replica.metrics.guilds };
}

async function copyLines(url: string, path: string): Promise<{ ms: number; guilds: number }> {
  const db = new Database(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE records (id TEXT PRIMARY KEY, revision INTEGER NOT NULL, record TEXT NOT NULL)`);
  const insert = db.prepare('INSERT INTO records VALUES (?, ?, ?)');
  const started = performance.now();
  const [response] = (await once(get(`${url}/guilds`, { agent: false }), 'response')) as [IncomingMessage];
  db.exec('BEGIN');
  for await (const line of createInterface({ input: response })) {
    const { revision, guild } = JSON.parse(line) as { revision: number; guild: { id: string } };
    insert.run(guild.id, revision, JSON.stringify(guild));
  }
  db.exec('COMMIT');
  const ms = performance.now() - started;
  const guilds = db.prepare<[], number>('SELECT count(*) FROM records').pluck().get() ?? 0;
  db.close();
  return { ms, guilds };
}

/** Watchers that are opened at once. */
const CONCURRENCY = 50;

let open = 0;

let missing = { count: 0, onAll: () => {} };

function openWatcher(url: string): Promise<void> {
  return listen(`${url}/trpc/guilds.watch?input=%7B%7D`, (data) => {
    if (!data.includes(last.prefix)) return;
    missing.count -= 1;
    if (missing.count === 0) missing.onAll();
  });
}

handleJobs('follow-rows', tasks);
