import { setTimeout as delay } from 'node:timers/promises';
import type { AppRouter } from '@guild-settings/client';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { Client, type Dispatcher } from 'undici';
import { type BenchContext, compareSeries, measureRounds, median, medians, percentile } from './bench.ts';
import { cpuMilliseconds, handleJobs, type Server, startTask } from './processes.ts';
import { short } from './report.ts';
import { type Caller, guildId, tokenOf } from './service.ts';

/** Requests over some connections: each sends its next request after the response. */
export interface HttpLoad {
  readonly kind: 'read' | 'change';
  readonly caller?: Caller;
  /** The places of the guilds among all. */
  readonly guilds: { readonly first: number; readonly count: number };
  readonly connections: number;
  /** Milliseconds between a response and the next request; none unless given. */
  readonly pauseMs?: number;
}

export interface LoadedServers {
  readonly name: string;
  /** The processes among which the guilds and the connections are divided. */
  readonly servers: readonly Server[];
  readonly load: HttpLoad;
}

/** Until V8 has compiled the hot paths. */
const MIN_WARM_UP_REQUESTS = 5_000;
const MAX_WARM_UPS = 12;

/**
 * Sends load to servers alternately. Compares the requests per second of the first one with those of the others, with their CPU
 * time and p99.
 */
export async function compareThroughput(context: BenchContext, all: readonly LoadedServers[], place?: 'anywhere') {
  const task = context.resources.use(startTask<HttpTask>('http-load', place));
  const candidates = all.map(({ name, servers, load }) => {
    const [count, connections] = [load.guilds.count / servers.length, load.connections / servers.length];
    const loads = servers.map(({ url }, index) => {
      return { ...load, origin: url, guilds: { first: index * count, count }, connections };
    });
    const pids = servers.map(({ pid }) => pid);
    // Each guild once on average: what they take in memory is a part of the cost.
    let needed = Math.max(load.guilds.count, MIN_WARM_UP_REQUESTS);
    const measure = async (seconds: number) => {
      const before = cpuMilliseconds(pids);
      const report = await task.run('send', { loads, seconds });
      const cpuMicroseconds = ((cpuMilliseconds(pids) - before) * 1_000) / report.requests;
      needed -= report.requests;
      // Warming up takes requests and not seconds: few are sent in a second where the machine is busy.
      for (let more = 0; needed > 0 && more < MAX_WARM_UPS; more++)
        needed -= (await task.run('send', { loads, seconds })).requests;
      return { ...report, cpuMicroseconds };
    };
    return { name, measure };
  });
  const found = await measureRounds(context, candidates);
  const series = (of: 'perSecond' | 'cpuMicroseconds' | 'p99Ms' | 'cores') =>
    found.map(({ name, values }) => ({ name, values: values.map((value) => value[of]) }));
  const each = (of: 'p99Ms' | 'cores', unit: string) =>
    series(of)
      .map(({ name, values }) => `${short(median(values))}${unit} (${name})`)
      .join(', ');
  return {
    ...compareSeries(series('perSecond')),
    cpu: medians(series('cpuMicroseconds')),
    notes: [`p99: ${each('p99Ms', ' ms')}`, `cores used by the load: ${each('cores', '')}`],
  };
}

export interface HttpJob {
  readonly loads: readonly (HttpLoad & { readonly origin: string })[];
  readonly seconds: number;
}

const tasks = {
  /** Sends load, and returns what all of it received. `cores` is the part of a core that it used: above 0.9 it may have been the bound. */
  async send({ loads, seconds }: HttpJob) {
    const times: number[] = [];
    const started = performance.now();
    const before = process.cpuUsage();
    const until = started + seconds * 1_000;
    const repeat = async ({ origin, pauseMs, ...load }: HttpJob['loads'][number]) => {
      const connection = new Client(origin);
      for (let sent = performance.now(); sent < until; sent = performance.now()) {
        const { statusCode, body } = await connection.request(nextRequest(load));
        await body.dump();
        if (statusCode !== 200) throw new Error(`Expected 200 of ${origin}, received ${statusCode}`);
        times.push(performance.now() - sent);
        if (pauseMs !== undefined) await delay(pauseMs);
      }
      await connection.close();
    };
    await Promise.all(loads.flatMap((load) => Array.from({ length: load.connections }, () => repeat(load))));
    const { user, system } = process.cpuUsage(before);
    const ms = performance.now() - started;
    const perSecond = (times.length * 1_000) / ms;
    return { requests: times.length, perSecond, p99Ms: percentile(times, 0.99), cores: (user + system) / 1_000 / ms };
  },

  /** Calls by tRPC's typed client, in batches. Returns the calls per second. */
  async call({
    origin,
    token,
    ids,
    seconds,
  }: {
    origin: string;
    token?: string;
    ids: readonly string[];
    seconds: number;
  }) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const link = httpBatchLink({ url: `${origin}/trpc`, maxItems: BATCH, headers });
    const client = createTRPCClient<AppRouter>({ links: [link] });
    let completed = 0;
    const started = performance.now();
    const until = started + seconds * 1_000;
    const repeat = async (first: number) => {
      // Requests that begin at the same time would be one batch.
      await delay(first % 10);
      for (let request = first; performance.now() < until; request += CONNECTIONS) {
        // The link sends simultaneous calls as one request.
        const calls = Array.from({ length: BATCH }, (_, call) => ids[(request * BATCH + call) % ids.length] ?? '');
        await Promise.all(calls.map((guild) => client.guilds.get.query({ guild })));
        completed += BATCH;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => repeat(index)));
    return completed / ((performance.now() - started) / 1_000);
  },
};

export type HttpTask = typeof tasks;

/** Calls per request, and concurrent requests. */
const BATCH = 10;
const CONNECTIONS = 16;

let prefixes = 0;

function nextRequest({ kind, caller, guilds }: HttpLoad): Dispatcher.RequestOptions {
  const index = guilds.first + random(guilds.count);
  const path = `/guilds/${guildId(index)}`;
  const authorization = caller === undefined ? {} : { authorization: `Bearer ${tokenOf(caller, index)}` };
  if (kind === 'read') return { method: 'GET', path, headers: authorization };
  // A prefix that no guild has had, so that every request changes the record.
  prefixes += 1;
  const body = JSON.stringify({ prefix: `${process.pid}-${prefixes}` });
  return { method: 'PATCH', path, headers: { ...authorization, 'content-type': 'application/json' }, body };
}

/** Continued from round to round: each requests other guilds, and not those that the round before has left in the caches. */
let randomState = 20_260_101;

/**
 * Returns a pseudo-random integer below a bound: the same ones in every run.
 * @see https://www.jstatsoft.org/article/view/v008i14 (xorshift)
 */
function random(bound: number): number {
  randomState ^= randomState << 13;
  randomState ^= randomState >>> 17;
  randomState ^= randomState << 5;
  return (randomState >>> 0) % bound;
}

handleJobs('http-load', tasks);
