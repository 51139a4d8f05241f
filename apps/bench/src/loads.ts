import type { BenchContext } from './context.ts';
import { short } from './report/report.ts';
import { type Compared, compareSeries, measureRounds, medians, type Series } from './rounds.ts';
import type { Measurement } from './row.ts';
import { cpuMilliseconds } from './servers/usage.ts';
import { median } from './statistics.ts';
import type { HttpJob, HttpLoad, LoadReport } from './tasks/http-load.ts';
import type { Task } from './tasks/task.ts';

export interface LoadedServer {
  readonly name: string;
  /** The processes of the server; their descendants count as well. */
  readonly pids: readonly number[];
  /** Requests before the first round, so that the guilds are in use; at least 5,000. */
  readonly warmUpRequests?: number;
  measure(seconds: number): Promise<LoadReport>;
}

export async function sendLoad(
  task: Task<HttpJob, LoadReport[]>,
  load: HttpLoad,
  seconds: number,
): Promise<LoadReport> {
  const [report] = await task({ loads: [load], seconds });
  if (report === undefined) throw new Error('Expected the report of a load');
  return report;
}

/** Until V8 has compiled the hot paths. */
const MIN_WARM_UP_REQUESTS = 5_000;

export type ComparedLoads = Compared & Required<Pick<Measurement, 'cpu' | 'notes'>>;

/**
 * Sends load to servers alternately. Compares the requests per second of the first one with those of the others, with their CPU
 * time and p99.
 */
export async function compareThroughput(
  context: BenchContext,
  servers: readonly LoadedServer[],
): Promise<ComparedLoads> {
  const found = await measureRounds(
    context,
    servers.map((server) => ({ name: server.name, measure: measureWarm(server, context) })),
  );
  const series = (of: (load: MeasuredLoad) => number): Series[] =>
    found.map(({ name, values }) => ({ name, values: values.map(of) }));
  const each = (of: (load: MeasuredLoad) => number, unit: string) =>
    series(of)
      .map(({ name, values }) => `${short(median(values))}${unit} (${name})`)
      .join(', ');
  return {
    ...compareSeries(series(({ perSecond }) => perSecond)),
    cpu: medians(series(({ cpuMicroseconds }) => cpuMicroseconds)),
    notes: [`p99: ${each(({ p99Ms }) => p99Ms, ' ms')}`, `cores used by the load: ${each(({ cores }) => cores, '')}`],
  };
}

interface MeasuredLoad extends LoadReport {
  readonly cpuMicroseconds: number;
}

/**
 * Returns a function that sends load and measures the CPU time that it takes the server. The first call goes on until V8 has compiled
 * the hot paths, which takes requests and not seconds: few are sent in a second where the machine is busy.
 */
function measureWarm(
  { pids, warmUpRequests = 0, measure }: LoadedServer,
  { profile }: BenchContext,
): (seconds: number) => Promise<MeasuredLoad> {
  const needed = Math.max(warmUpRequests, MIN_WARM_UP_REQUESTS);
  let sent = 0;
  return async (seconds) => {
    const before = await cpuMilliseconds(pids);
    const report = await measure(seconds);
    const used = (await cpuMilliseconds(pids)) - before;
    sent += report.requests;
    for (let more = 0; sent < needed && more < profile.maxWarmUps; more++) sent += (await measure(seconds)).requests;
    return { ...report, cpuMicroseconds: (used * 1_000) / report.requests };
  };
}
