import type { BenchContext } from './context.ts';
import { short } from './report/numbers.ts';
import { type Compared, compareSeries, measureRounds, type Series } from './rounds.ts';
import type { Cost, Measurement } from './row.ts';
import { cpuMilliseconds } from './servers/usage.ts';
import { median } from './statistics.ts';
import type { HttpJob, HttpLoad, LoadReport } from './tasks/http-load.ts';
import type { Task } from './tasks/task.ts';

/** A server under load. */
export interface LoadedServer {
  readonly name: string;
  /** Its processes; their descendants count as well. */
  readonly pids: readonly number[];
  /** Requests before the first round, so that the guilds are in use; 5,000 unless given. */
  readonly warmUpRequests?: number;
  /** Sends load for some seconds. */
  measure(seconds: number): Promise<LoadReport>;
}

/** A report with the cost to the server. */
export interface MeasuredLoad extends LoadReport {
  /** Microseconds of CPU time of each request. */
  readonly cpuMicroseconds: number;
}

/** A process that sends HTTP loads. */
export type LoadTask = Task<HttpJob, LoadReport[]>;

/** Sends one load for some seconds. */
export async function sendLoad(task: LoadTask, load: HttpLoad, seconds: number): Promise<LoadReport> {
  const [report] = await task({ loads: [load], seconds });
  if (report === undefined) throw new Error('Expected the report of a load');
  return report;
}

/**
 * Sends load to servers alternately, and measures the CPU time that it takes them. The warm-up goes on until V8 has compiled the
 * hot paths, which takes requests and not seconds: few are sent in a second where the machine is busy.
 */
export function measureLoads(
  context: BenchContext,
  servers: readonly LoadedServer[],
): Promise<Readonly<Record<string, readonly MeasuredLoad[]>>> {
  return measureRounds(
    context,
    servers.map((server) => {
      let sent = 0;
      return {
        name: server.name,
        async measure(seconds: number) {
          const load = await measureCost(server, seconds);
          sent += load.requests;
          for (let more = 0; sent < (server.warmUpRequests ?? WARM_UP_REQUESTS) && more < MAX_WARM_UPS; more++) {
            sent += (await server.measure(seconds)).requests;
          }
          return load;
        },
      };
    }),
  );
}

/** Until V8 has compiled the hot paths. */
export const WARM_UP_REQUESTS = 5_000;

/** Further loads before the first round. */
const MAX_WARM_UPS = 12;

async function measureCost({ pids, measure }: LoadedServer, seconds: number): Promise<MeasuredLoad> {
  const before = await cpuMilliseconds(pids);
  const report = await measure(seconds);
  const used = (await cpuMilliseconds(pids)) - before;
  return { ...report, cpuMicroseconds: (used * 1_000) / report.requests };
}

/** A measurement of requests per second. */
export type ComparedLoads = Compared & Required<Pick<Measurement, 'cpu' | 'notes'>>;

/** Compares the requests per second of the first server with those of the others, with their CPU time and p99. */
export async function compareThroughput(
  context: BenchContext,
  servers: readonly LoadedServer[],
): Promise<ComparedLoads> {
  const found = await measureLoads(context, servers);
  const series = (of: (load: MeasuredLoad) => number): Series[] =>
    servers.map(({ name }) => ({ name, values: (found[name] ?? []).map(of) }));
  const [ours = { name: '', values: [] }, ...peers] = series(({ perSecond }) => perSecond);
  const each = (of: (load: MeasuredLoad) => number, format: (value: number) => string) =>
    series(of)
      .map(({ name, values }) => `${format(median(values))} (${name})`)
      .join(', ');
  return {
    ...compareSeries(ours, peers),
    cpu: costOf(series(({ cpuMicroseconds }) => cpuMicroseconds)),
    notes: [
      `p99: ${each(
        ({ p99Ms }) => p99Ms,
        (ms) => `${short(ms)} ms`,
      )}`,
      `cores used by the load: ${each(({ cores }) => cores, short)}`,
    ],
  };
}

/** Returns the CPU time of the first server and of the others. */
function costOf([ours, ...peers]: readonly Series[]): Cost {
  return {
    ours: median(ours?.values ?? []),
    peers: Object.fromEntries(peers.map(({ name, values }) => [name, median(values)])),
  };
}
