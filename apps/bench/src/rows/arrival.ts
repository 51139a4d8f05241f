import type { BenchContext } from '../context.ts';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { compareThroughput, sendLoad } from '../loads.ts';
import { short } from '../report/numbers.ts';
import { measureRounds } from '../rounds.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { median, percentile } from '../statistics.ts';
import type { ArrivalJob, ArrivalTimes } from '../tasks/arrivals.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 100;
const MANY = 100;
const CONNECTIONS = 64;

/** Pairs of changes per second of load, which take longer, since there are pauses between them: the p99 is the tenth slowest. */
const PAIRS_PER_SECOND = 100;

/** The longest that waiting may add to a change at the median, in milliseconds. */
const MAX_ADDED_MS = 2;

/** The longest that waiting may add to the p99 of a change, as a multiple of the p99 of propagation. */
const MAX_SLOWEST = 3;

/** A change waits until it is in use. */
export const arrival: Row = {
  id: 'arrival',
  what: 'added milliseconds of a PATCH with `Prefer: wait`, at the median, 1 watcher',
  unit: 'ms',
  goal: { is: 'at most', ratio: MAX_ADDED_MS },
  also: `p99 <= that without waiting + ${MAX_SLOWEST} x propagation's`,
  measure: (context) => measureWaits(context, 1),
};

/** The same in a bot of many processes. */
export const arrivalOfMany: Row = {
  ...arrival,
  id: `arrival-${MANY}`,
  what: `the same, in a bot of ${MANY} processes`,
  measure: (context) => measureWaits(context, MANY),
};

/** Changes while replicas acknowledge them. */
export const arrivalCost: Row = {
  id: 'arrival-cost',
  what: `durable PATCH beside ${MANY} watchers that acknowledge, and beside ${MANY} that do not`,
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.9 },
  async measure(context) {
    const { resources, folder } = context;
    const file = await seedSqlite(context, 'guilds', 1_000);
    const { ids } = file;
    const discord = resources.use(await startDiscord(ids));
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const candidate = async (name: 'acknowledging' | 'silent', path: string) => {
      const api = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
      const watch = resources.use(startTask<ArrivalJob, ArrivalTimes>('arrivals'));
      const acknowledges = name === 'acknowledging';
      await watch({ url: api.url, token: TOKENS.application, ids, watchers: MANY, acknowledges, folder, pairs: 0 });
      const guilds = { first: 0, count: ids.length };
      const load = { kind: 'change', caller: 'owners', guilds, connections: CONNECTIONS, origin: api.url } as const;
      return { name, pids: [api.program.pid], measure: (seconds: number) => sendLoad(task, load, seconds) };
    };
    return compareThroughput(context, [
      await candidate('acknowledging', file.path),
      await candidate('silent', (await copyOf(file, 'silent')).path),
    ]);
  },
};

async function measureWaits(context: BenchContext, watchers: number): Promise<Measurement> {
  const { resources, folder } = context;
  const { path, ids } = await seedSqlite(context, 'guilds', GUILDS);
  const discord = resources.use(await startDiscord([]));
  const api = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
  const measure = resources.use(startTask<ArrivalJob, ArrivalTimes>('arrivals'));
  const job = { url: api.url, token: TOKENS.application, ids, watchers, acknowledges: true, folder };
  const rounds = await measureRounds(context, [
    { name: 'times', measure: (seconds) => measure({ ...job, pairs: Math.ceil(seconds * PAIRS_PER_SECOND) }) },
  ]);
  const all = (of: keyof ArrivalTimes) => (rounds.times ?? []).flatMap((times) => times[of]);
  const [waiting, plain, propagation] = [all('waiting'), all('plain'), all('propagation')];
  const slowest = percentile(waiting, 0.99);
  // Propagation begins at the response to a change, and waiting at the request.
  const limit = percentile(plain, 0.99) + MAX_SLOWEST * percentile(propagation, 0.99);
  return {
    ours: median(waiting),
    peers: { 'without waiting': median(plain) },
    ratio: median(waiting) - median(plain),
    alsoMet: slowest <= limit,
    notes: [
      `p99: ${short(slowest)} ms with waiting, ${short(percentile(plain, 0.99))} ms without, propagation ${short(percentile(propagation, 0.99))} ms`,
    ],
  };
}
