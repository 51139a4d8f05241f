import { startDiscord } from '../data/world.ts';
import { compareThroughput, type LoadedServer } from '../loads.ts';
import { short } from '../report/report.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { seedPostgres } from '../servers/postgres.ts';
import { type Server, startPeer } from '../servers/server.ts';
import type { HttpJob, HttpLoad, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;
const GUILDS = 1_000;

export const postgresGet = rowOf('pg-get', 'read', { ratio: 0.8, secondProcess: 1 });

export const postgresPatch = rowOf('pg-patch', 'change', { ratio: 1.5, secondProcess: 1.2 });

interface Goals {
  /** The goal of one process beside the plain peer. */
  readonly ratio: number;
  readonly secondProcess: number;
}

function rowOf(id: string, kind: 'read' | 'change', { ratio, secondProcess }: Goals): Row {
  return {
    id,
    unit: 'requests/s',
    goal: { is: 'at least', ratio },
    also: `two processes >= ${secondProcess} x one`,
    async measure(context) {
      const { resources } = context;
      // Programs are not pinned, because PostgreSQL is not.
      const place = 'anywhere';
      const { ours, peer, ids } = await seedPostgres(context, GUILDS);
      const discord = resources.use(await startDiscord(ids));
      const start = async () => resources.use(await startApi({ databaseUrl: ours, discordUrl: discord.apiUrl, place }));
      const [one, other] = [await start(), await start()];
      const plain = resources.use(await startPeer('plain-postgres', peer, { place }));
      const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load', place));
      const loaded = (
        name: string,
        servers: readonly Server[],
        credentials: Pick<HttpLoad, 'caller'>,
      ): LoadedServer => ({
        name,
        pids: servers.map(({ pid }) => pid),
        async measure(seconds) {
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
      const measured = await compareThroughput(context, [
        loaded('ours', [one], { caller: 'owners' }),
        loaded('plain-postgres', [plain], {}),
        loaded('two processes', [one, other], { caller: 'owners' }),
      ]);
      const gain = 1 / (measured.ratios['two processes'] ?? Number.NaN);
      return { ...measured, also: { found: `${short(gain)} x`, isMet: gain >= secondProcess } };
    },
  };
}

function sumOf(reports: readonly LoadReport[]): LoadReport {
  const sum = (of: (report: LoadReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  return {
    requests: sum(({ requests }) => requests),
    perSecond: sum(({ perSecond }) => perSecond),
    p99Ms: Math.max(...reports.map(({ p99Ms }) => p99Ms)),
    cores: Math.max(...reports.map(({ cores }) => cores)),
  };
}
