import type { BenchContext } from '../context.ts';
import { startDiscord } from '../data/world.ts';
import { compareThroughput, type LoadedServer } from '../loads.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { seedPostgres } from '../servers/postgres.ts';
import type { Server } from '../servers/server.ts';
import type { HttpJob, HttpLoad, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;
const GUILDS = 1_000;

/** Beside a plain peer of one process, or two processes of the service beside one of them. Nothing is pinned. */
async function measurePostgres(context: BenchContext, kind: 'read' | 'change', processes: 1 | 2): Promise<Measurement> {
  const { resources } = context;
  const place = 'anywhere';
  const { ours, peer, ids } = await seedPostgres(context, GUILDS);
  const discord = resources.use(await startDiscord(ids));
  const startOne = async () => resources.use(await startApi({ databaseUrl: ours, discordUrl: discord.apiUrl, place }));
  const apis = [await startOne(), ...(processes === 2 ? [await startOne()] : [])];
  const peers = [resources.use(await startPeer('plain-postgres', peer, { place }))];
  const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load', { place }));
  const loaded = (name: string, servers: readonly Server[], credentials: Pick<HttpLoad, 'caller'>): LoadedServer => ({
    name,
    pids: servers.map(({ program }) => program.pid),
    measure: async (seconds) => {
      const count = GUILDS / servers.length;
      const loads = servers.map(({ url }, index) => ({
        ...credentials,
        kind,
        origin: url,
        guilds: { first: index * count, count },
        connections: CONNECTIONS / servers.length,
      }));
      return sumOf(await task({ loads, seconds }));
    },
  });
  const caller = 'owners';
  return compareThroughput(context, [
    loaded('ours', apis, { caller }),
    ...(processes === 2 ? [loaded('one process', apis.slice(0, 1), { caller })] : []),
    loaded('plain-postgres', peers, {}),
  ]);
}

/** Returns the report of loads that ran at the same time. */
function sumOf(reports: readonly LoadReport[]): LoadReport {
  const sum = (of: (report: LoadReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const slowest = (of: (report: LoadReport) => number) => Math.max(...reports.map(of));
  return {
    requests: sum(({ requests }) => requests),
    perSecond: sum(({ perSecond }) => perSecond),
    medianMs: slowest(({ medianMs }) => medianMs),
    p99Ms: slowest(({ p99Ms }) => p99Ms),
    maxMs: slowest(({ maxMs }) => maxMs),
    cores: slowest(({ cores }) => cores),
  };
}

const unit = 'requests/s';

/** GET and PATCH on PostgreSQL: one api process beside a plain peer, and two processes beside one. */
export const POSTGRES_ROWS: readonly Row[] = [
  {
    id: 'pg-get',
    what: 'authorised GET on PostgreSQL, one process',
    unit,
    goal: { is: 'at least', ratio: 0.8 },
    measure: (context) => measurePostgres(context, 'read', 1),
  },
  {
    id: 'pg-get-2',
    what: 'authorised GET on PostgreSQL, two processes beside one',
    unit,
    goal: { is: 'at least', ratio: 1 },
    measure: (context) => measurePostgres(context, 'read', 2),
  },
  {
    id: 'pg-patch',
    what: 'durable PATCH on PostgreSQL, one process',
    unit,
    goal: { is: 'at least', ratio: 1.5 },
    measure: (context) => measurePostgres(context, 'change', 1),
  },
  {
    id: 'pg-patch-2',
    what: 'durable PATCH on PostgreSQL, two processes beside one',
    unit,
    goal: { is: 'at least', ratio: 1.2 },
    measure: (context) => measurePostgres(context, 'change', 2),
  },
];
