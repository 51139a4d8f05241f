import { readFile } from 'node:fs/promises';
import type { BenchContext } from '../context.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { short } from '../report/numbers.ts';
import { compareSeries, measureRounds, type Series } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { startRedis } from '../servers/redis.ts';
import type { Server } from '../servers/server.ts';
import { cpuMilliseconds } from '../servers/usage.ts';
import { median } from '../statistics.ts';
import type { FanOutJob, FanOutReport } from '../tasks/fan-out.ts';
import { startTask, type Task } from '../tasks/task.ts';

/** Few, so that a watch begins with few records. */
const GUILDS = 10;

const MAX_MICROSECONDS = 20;

/** Server CPU time of each event to each watcher. */
const fanOutCost = (watchers: number): Row => ({
  id: `fanout-${watchers}`,
  what: `CPU time of the server for each event and watcher, ${watchers.toLocaleString('en')} watchers`,
  unit: 'µs',
  goal: { is: 'at most', ratio: MAX_MICROSECONDS },
  async measure(context) {
    const { series, notes } = await measureFanOut(context, watchers, ['socket-loop', 'redis']);
    const [ours = NOTHING, ...peers] = series(({ cpuMicroseconds }) => cpuMicroseconds);
    const compared = compareSeries(ours, peers);
    return {
      ...compared,
      ratio: compared.ours,
      spread: { from: Math.min(...ours.values), to: Math.max(...ours.values) },
      notes: [`${short(compared.ratio)} x the socket loop`, ...notes],
    };
  },
});

const MAX_RESPONSE_MS = 5;

/** From a change to the last of many watchers. */
const fanOutLast: Row = {
  id: 'fanout-last',
  what: 'from a PATCH until the last of 5,000 watchers has received it',
  unit: 'ms',
  goal: { is: 'at most', ratio: 1.3 },
  also: `the response to the PATCH within ${MAX_RESPONSE_MS} ms`,
  async measure(context) {
    const { series, notes } = await measureFanOut(context, 5_000, ['socket-loop']);
    const [ours = NOTHING, ...peers] = series(({ lasts }) => median(lasts));
    const responses = series((round) => median(round.responses)).map(({ values }) => median(values));
    return {
      ...compareSeries(ours, peers),
      alsoMet: (responses[0] ?? Number.NaN) <= MAX_RESPONSE_MS,
      notes: [`responses: ${responses.map((ms) => `${short(ms)} ms`).join(', and ')} of the socket loop`, ...notes],
    };
  },
};

export const FAN_OUT_ROWS: readonly Row[] = [fanOutCost(1_000), fanOutCost(5_000), fanOutLast];

const NOTHING: Series = { name: '', values: [] };

interface FanOutRound extends FanOutReport {
  readonly cpuMicroseconds: number;
  readonly clientMicroseconds: number;
}

/** Measures changes to watchers of the service and of peers. */
async function measureFanOut(context: BenchContext, watchers: number, peers: readonly ('socket-loop' | 'redis')[]) {
  const { resources, progress } = context;
  await requireFiles(watchers);
  const { path } = await seedSqlite(context, 'guilds', GUILDS);
  const discord = resources.use(await startDiscord([]));
  const api = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
  const loop = peers.includes('socket-loop') ? resources.use(await startPeer('socket-loop', '')) : undefined;
  const redis = peers.includes('redis') ? await startRedis(context) : undefined;
  const servers = [
    { name: 'ours', from: 'service', server: api },
    { name: 'socket-loop', from: 'socket-loop', server: loop },
    { name: 'redis', from: 'redis', server: redis },
  ] as const;
  const candidates = servers.flatMap(({ name, from, server }) => {
    if (server === undefined) return [];
    const task = resources.use(startTask<FanOutJob, FanOutReport>('fan-out'));
    return [{ name, measure: (seconds: number) => run({ task, from, server, seconds }) }];
  });
  const run = async ({ task, from, server, seconds }: RunOptions): Promise<FanOutRound> => {
    const used = async () => [await cpuMilliseconds([server.program.pid]), await cpuMilliseconds([task.program.pid])];
    const before = await used();
    const report = await task({ from, origin: server.url, watchers, seconds });
    const after = await used();
    const [cpuMicroseconds = Number.NaN, clientMicroseconds = Number.NaN] = after.map(
      (ms, index) => ((ms - (before[index] ?? 0)) * 1_000) / (report.lasts.length * watchers),
    );
    return { ...report, cpuMicroseconds, clientMicroseconds };
  };
  progress(`opening ${watchers.toLocaleString('en')} watchers of each server`);
  const found: Readonly<Record<string, readonly FanOutRound[]>> = await measureRounds(context, candidates);
  const series = (of: (round: FanOutRound) => number): Series[] =>
    candidates.map(({ name }) => ({ name, values: (found[name] ?? []).map(of) }));
  const clients = series(({ clientMicroseconds }) => clientMicroseconds);
  return {
    series,
    notes: [
      `CPU time of the client: ${clients.map(({ name, values }) => `${short(median(values))} µs (${name})`).join(', ')}`,
      ...(peers.includes('redis') && redis === undefined ? ['Redis is not installed, and was not measured'] : []),
    ],
  };
}

interface RunOptions {
  readonly task: Task<FanOutJob, FanOutReport>;
  readonly from: FanOutJob['from'];
  readonly server: Pick<Server, 'url' | 'program'>;
  readonly seconds: number;
}

/** Files of a process beside its watchers. */
const OTHER_FILES = 500;

/** @throws Error where a process may not have so many connections */
async function requireFiles(connections: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const allowed = Number(/^Max open files +\S+ +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (allowed < connections + OTHER_FILES) {
    throw new Error(`Expected ulimit -Hn of at least ${connections + OTHER_FILES}, it is ${allowed}`);
  }
}
