import { setTimeout as delay } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { type BenchContext, type Candidate, measureRounds } from './bench.ts';
import { cpuMilliseconds, handleJobs, type Server, startTask } from './processes.ts';
import { type Caller, GUILDS_PER_OWNER, guildId, tokenOf } from './service.ts';

/** Requests over some connections: each sends its next request after the response. */
export interface HttpLoad {
  /** GET or PATCH of a guild, or `guilds.get` of some guilds in one tRPC batch. */
  readonly kind: 'read' | 'change' | 'batch';
  readonly caller?: Caller;
  /** The range of guilds among all. */
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

/** Enough requests for V8 to compile the hot paths. */
const MIN_WARM_UP_REQUESTS = 5_000;
const MAX_WARM_UPS = 12;

/** Sends load to servers alternately. Measures the requests per second with the servers' CPU time per request. */
export function compareThroughput(
  context: BenchContext,
  [ours, ...peers]: readonly [LoadedServers, ...LoadedServers[]],
  place?: 'anywhere',
) {
  const task = context.resources.use(startTask<HttpTask>('http-load', place));
  const candidateOf = ({ name, servers, load }: LoadedServers): Candidate => {
    const [count, connections] = [load.guilds.count / servers.length, load.connections / servers.length];
    const loads = servers.map(({ url }, index) => {
      return { ...load, origin: url, guilds: { first: index * count, count }, connections };
    });
    const pids = servers.map(({ pid }) => pid);
    // Each guild once on average, because their memory is a part of the cost.
    let needed = Math.max(load.guilds.count, MIN_WARM_UP_REQUESTS);
    const measure = async (seconds: number) => {
      const before = cpuMilliseconds(pids);
      const { requests, perSecond } = await task.run('send', { loads, seconds });
      const cpu = ((cpuMilliseconds(pids) - before) * 1_000) / requests;
      needed -= requests;
      // Counted in requests instead of seconds, because a busy machine handles few per second.
      for (let more = 0; needed > 0 && more < MAX_WARM_UPS; more++)
        needed -= (await task.run('send', { loads, seconds })).requests;
      return { value: perSecond, cpu };
    };
    return { name, measure };
  };
  return measureRounds(context, candidateOf(ours), ...peers.map(candidateOf));
}

export interface HttpJob {
  readonly loads: readonly (HttpLoad & { readonly origin: string })[];
  readonly seconds: number;
}

const tasks = {
  /** Sends load, and returns the number of requests, and the rate per second. */
  async send({ loads, seconds }: HttpJob) {
    let requests = 0;
    const started = performance.now();
    const until = started + seconds * 1_000;
    const repeat = async ({ origin, pauseMs, ...load }: HttpJob['loads'][number]) => {
      const connection = new Client(origin);
      while (performance.now() < until) {
        const { statusCode, body } = await connection.request(nextRequest(load));
        await body.dump();
        if (statusCode !== 200) throw new Error(`Expected 200 of ${origin}, received ${statusCode}`);
        requests += 1;
        if (pauseMs !== undefined) await delay(pauseMs);
      }
      await connection.close();
    };
    await Promise.all(loads.flatMap((load) => Array.from({ length: load.connections }, () => repeat(load))));
    return { requests, perSecond: (requests * 1_000) / (performance.now() - started) };
  },
};

export type HttpTask = typeof tasks;

const BATCH = 10;

let prefixes = 0;

function nextRequest({ kind, caller, guilds }: HttpLoad): Dispatcher.RequestOptions {
  const index = guilds.first + Math.floor(Math.random() * guilds.count);
  const headers = caller === undefined ? {} : { authorization: `Bearer ${tokenOf(caller, index)}` };
  if (kind === 'batch') {
    const first = index - (index % GUILDS_PER_OWNER);
    const ids = Array.from({ length: BATCH }, (_, call) => guildId(first + ((index + call) % GUILDS_PER_OWNER)));
    const input = encodeURIComponent(JSON.stringify({ ...ids.map((guild) => ({ guild })) }));
    return { method: 'GET', path: `/trpc/${ids.map(() => 'guilds.get').join()}?batch=1&input=${input}`, headers };
  }
  const path = `/guilds/${guildId(index)}`;
  if (kind === 'read') return { method: 'GET', path, headers };
  // A new prefix for each request, so that it changes the record.
  prefixes += 1;
  const body = JSON.stringify({ prefix: `${process.pid}-${prefixes}` });
  return { method: 'PATCH', path, headers: { ...headers, 'content-type': 'application/json' }, body };
}

handleJobs('http-load', tasks);
