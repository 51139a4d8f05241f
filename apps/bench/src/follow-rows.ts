import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { watch } from '@guild-settings/client';
import { type Follow, Replica } from '@guild-settings/replica';
import Database from 'better-sqlite3';
import { createParser } from 'eventsource-parser';
import { request } from 'undici';
import { measureRounds, percentile, type Row } from './bench.ts';
import { cpuMilliseconds, handleJobs, type Server, startPeer, startTask } from './processes.ts';
import { APPLICATION_TOKEN, guildId, seedSqlite, serveFile } from './service.ts';

/** Few, so that a watch begins with few records. */
const GUILDS = 10;

type Watchers = 'a replica' | number;

/**
 * A row of changes that a replica or several listeners receive, compared with a loop over sockets with listeners.
 * `measured` returns the value of a round from the milliseconds until each change was received, and the CPU time of the
 * server.
 */
function notifyRow(
  row: Omit<Row, 'measure'>,
  watchers: Watchers,
  measured: (delays: readonly number[], cpuMs: number) => number,
): Row {
  const measure: Row['measure'] = async (context) => {
    const { resources, folder } = context;
    const api = await serveFile(context, (await seedSqlite(context, GUILDS)).ours);
    const loop = resources.use(await startPeer('socket-loop'));
    const candidate = (name: string, { url, pid }: Server, to: Watchers) => {
      const task = resources.use(startTask<typeof tasks>('follow-rows'));
      const measure = async (seconds: number) => {
        const before = cpuMilliseconds([pid]);
        const delays = await task.run('notify', { url, to, folder, seconds });
        return { value: measured(delays, cpuMilliseconds([pid]) - before) };
      };
      return { name, measure };
    };
    const peer = candidate('socket-loop', loop, watchers === 'a replica' ? 1 : watchers);
    return { series: await measureRounds(context, candidate('ours', api, watchers), peer) };
  };
  return { ...row, measure };
}

/** A new replica receives every guild, into memory and its own file. */
const resync: Row = {
  id: 'resync',
  unit: 'ms',
  goal: { maxRatio: 1.1 },
  async measure(context) {
    const { resources, folder, profile } = context;
    const guilds = profile.manyGuilds;
    const files = await seedSqlite(context, guilds);
    const lines = resources.use(await startPeer('json-lines', files.peer));
    const api = await serveFile(context, files.ours);
    const task = resources.use(startTask<typeof tasks>('follow-rows'));
    const path = join(folder, 'fresh.db');
    const candidate = (name: string, from: 'service' | 'json-lines', { url }: Server) => ({
      name,
      measure: async () => ({ value: await task.run('sync', { from, url, path, guilds }) }),
    });
    const ours = candidate('ours', 'service', api);
    return { series: await measureRounds(context, ours, candidate('json-lines', 'json-lines', lines)) };
  },
};

const MANY = 1_000;

export const followRows: readonly Row[] = [
  // From the response to a PATCH until a replica returns the change.
  notifyRow({ id: 'propagation', unit: 'ms', goal: { maxRatio: 3 } }, 'a replica', (delays) =>
    percentile(delays, 0.99),
  ),
  // CPU time per event and watcher.
  notifyRow({ id: 'fanout-1000', unit: 'µs', goal: { maxValue: 20 } }, MANY, ({ length }, cpuMs) => {
    return (cpuMs * 1_000) / (length * MANY);
  }),
  resync,
];

/** Pause between two changes, so that each is notified separately. */
const PAUSE_MS = 2;

const MIN_CHANGES = 3;

interface NotifyJob {
  readonly url: string;
  readonly to: Watchers;
  readonly folder: string;
  readonly seconds: number;
}

/**
 * Returns true if all watchers have received the last change. Set by the first job, and used by all jobs of a process.
 */
let isKnown: (() => boolean) | undefined;

const tasks = {
  /**
   * Makes changes, each after all watchers have received the last. Returns the milliseconds from each response until
   * then.
   */
  async notify({ url, to, folder, seconds }: NotifyJob): Promise<number[]> {
    isKnown ??= await (to === 'a replica' ? openReplica(url, folder) : openListeners(url, to));
    const delays: number[] = [];
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until || delays.length < MIN_CHANGES) {
      await change(url, guildId(delays.length % GUILDS));
      const responded = performance.now();
      while (!isKnown()) await setImmediate();
      delays.push(performance.now() - responded);
      await delay(PAUSE_MS);
    }
    return delays;
  },

  /** Returns the milliseconds until a new file has every guild. */
  async sync(job: { from: 'service' | 'json-lines'; url: string; path: string; guilds: number }): Promise<number> {
    for (const suffix of ['', '-wal', '-shm']) await rm(job.path + suffix, { force: true });
    const { ms, guilds } = await (job.from === 'service' ? replicate : copyLines)(job.url, job.path);
    if (guilds !== job.guilds) throw new Error(`Expected ${job.guilds} guilds from ${job.from}, received ${guilds}`);
    return ms;
  },
};

let last = { id: '', prefix: 'none' };
let changes = 0;

/** Changes a guild to a new prefix. */
async function change(url: string, id: string): Promise<void> {
  changes += 1;
  last = { id, prefix: `${process.pid}-${changes}.` };
  const headers = { ...AUTHORIZATION, 'content-type': 'application/json' };
  const body = JSON.stringify({ prefix: last.prefix });
  const response = await request(`${url}/guilds/${id}`, { method: 'PATCH', headers, body });
  if (response.statusCode !== 200) throw new Error(`Expected 200 of ${url}, received ${response.statusCode}`);
  await response.body.dump();
}

const AUTHORIZATION = { authorization: `Bearer ${APPLICATION_TOKEN}` };

async function openReplica(url: string, folder: string): Promise<() => boolean> {
  const replica = new Replica({ path: join(folder, 'replica.db'), follow: followOf(url) });
  replica.start();
  await replica.waitUntilLive();
  return () => replica.get(last.id).prefix === last.prefix;
}

function followOf(url: string): Follow {
  return ({ watcher: _, ...options }) => watch({ url, token: APPLICATION_TOKEN, ...options });
}

async function openListeners(url: string, count: number): Promise<() => boolean> {
  let known = { prefix: '', by: 0 };
  const onEvent = (data: string) => {
    if (!data.includes(last.prefix)) return;
    if (known.prefix !== last.prefix) known = { prefix: last.prefix, by: 0 };
    known.by += 1;
  };
  for (let open = 0; open < count; open++) await listen(`${url}/trpc/guilds.watch?input=%7B%7D`, onEvent);
  return () => known.prefix === last.prefix && known.by === count;
}

/** Receives and parses events like the service's client. Resolves when the first one was received. */
async function listen(url: string, onEvent: (data: string) => void): Promise<void> {
  const { body } = await request(url, { headers: AUTHORIZATION, bodyTimeout: 0 });
  const first = Promise.withResolvers<void>();
  const parser = createParser({
    onEvent({ data }) {
      first.resolve();
      onEvent(data);
    },
  });
  body.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
  body.on('close', () => {
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
  const { body } = await request(`${url}/guilds`);
  db.exec('BEGIN');
  for await (const line of createInterface({ input: body })) {
    const { revision, guild } = JSON.parse(line) as { revision: number; guild: { id: string } };
    insert.run(guild.id, revision, JSON.stringify(guild));
  }
  db.exec('COMMIT');
  const ms = performance.now() - started;
  const guilds = db.prepare<[], number>('SELECT count(*) FROM records').pluck().get() ?? 0;
  db.close();
  return { ms, guilds };
}

handleJobs('follow-rows', tasks);
