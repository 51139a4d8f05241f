import type { BenchContext } from '../context.ts';
import { copyOf, type SeededFile, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { compareThroughput, sendLoad } from '../loads.ts';
import { short } from '../report/numbers.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { Server } from '../servers/server.ts';
import { median } from '../statistics.ts';
import type { FanOutJob, FanOutReport } from '../tasks/fan-out.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 1_000;
const WORKERS = 2;

/** Enough that each worker has some. */
const WATCHERS = 16;
const MAX_WAKE_MS = 5;

/** Several processes on one SQLite file. */
export const workers: Row = {
  id: 'workers',
  what: `authorised GET with WORKERS=${WORKERS} beside one process, on SQLite`,
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 1.6 },
  also: `PATCH >= 1 x; watchers of every worker within ${MAX_WAKE_MS} ms of the response`,
  async measure(context) {
    const { resources } = context;
    const file = await seedSqlite(context, 'guilds', GUILDS);
    const discord = resources.use(await startDiscord(file.ids));
    const start = async ({ path }: SeededFile, env: NodeJS.ProcessEnv) =>
      startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl, place: 'anywhere', env });
    if (!(await knowsWorkers((env) => start(file, env)))) return NOT_THERE;
    const many = resources.use(await start(file, { WORKERS: String(WORKERS) }));
    const one = resources.use(await start(await copyOf(file, 'one'), {}));
    const gets = await compareServers(context, { many, one, kind: 'read' });
    const patches = await compareServers(context, { many, one, kind: 'change' });
    const watch = resources.use(startTask<FanOutJob, FanOutReport>('fan-out', { place: 'anywhere' }));
    const { responses, lasts } = await watch({
      from: 'service',
      origin: many.url,
      watchers: WATCHERS,
      seconds: context.profile.roundSeconds,
    });
    const wakeMs = median(lasts.map((last, change) => last - (responses[change] ?? 0)));
    return {
      ...gets,
      alsoMet: patches.ratio >= 1 && wakeMs <= MAX_WAKE_MS,
      notes: [
        ...gets.notes,
        `PATCH: ${short(patches.ours)} requests/s, ${short(patches.ratio)} x one process`,
        `the last of ${WATCHERS} watchers: ${short(wakeMs)} ms after the response`,
        'the load is sent from the same cores',
      ],
    };
  },
};

const NOT_THERE: Measurement = {
  ours: Number.NaN,
  peers: {},
  ratio: Number.NaN,
  notes: ['the service has no WORKERS: it runs in one process, on one core'],
};

/** Whether the service reads the variable: a value that it cannot use is refused. */
async function knowsWorkers(start: (env: NodeJS.ProcessEnv) => Promise<Server>): Promise<boolean> {
  try {
    const server = await start({ WORKERS: 'none' });
    await server[Symbol.asyncDispose]();
    return false;
  } catch (error) {
    if (String(error).includes('WORKERS')) return true;
    throw error;
  }
}

interface Servers {
  readonly many: Server;
  readonly one: Server;
  readonly kind: 'read' | 'change';
}

function compareServers(context: BenchContext, { many, one, kind }: Servers) {
  const task = context.resources.use(startTask<HttpJob, LoadReport[]>('http-load', { place: 'anywhere' }));
  const load = { kind, caller: 'owners', guilds: { first: 0, count: GUILDS }, connections: 64 } as const;
  const servers = [
    { name: 'ours', server: many },
    { name: 'one process', server: one },
  ].map(({ name, server: { url, program } }) => ({
    name,
    pids: [program.pid],
    measure: (seconds: number) => sendLoad(task, { ...load, origin: url }, seconds),
  }));
  return compareThroughput(context, servers);
}
