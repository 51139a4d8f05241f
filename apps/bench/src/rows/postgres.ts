import type { BenchContext } from '../context.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { measureMedians } from '../rounds.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { seedPostgres } from '../servers/postgres.ts';
import type { Server } from '../servers/server.ts';
import type { HttpJob } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;
const OWNED = 2 * CONNECTIONS;

/** Measures requests per second to some processes of the service, and to as many of a peer. Nothing is pinned. */
async function measurePostgres(
  context: BenchContext,
  kind: 'read' | 'change',
  processes: number,
): Promise<Measurement> {
  const { resources } = context;
  const place = 'anywhere';
  const { ours, peer, ids: all } = await seedPostgres(context, 1_000);
  const ids = all.slice(0, OWNED);
  const discord = resources.use(await startDiscord(ids));
  const start = async (one: () => Promise<Server>) => {
    const servers = [];
    for (let index = 0; index < processes; index++) servers.push(resources.use(await one()));
    return servers.map(({ url }) => url);
  };
  const apis = await start(() => startApi({ databaseUrl: ours, discordUrl: discord.apiUrl, place }));
  const peers = await start(() => startPeer('plain-postgres', peer, place));
  const loads = apis.map(() => resources.use(startTask<HttpJob, number>('http-load', { place })));
  const sum = async (origins: readonly string[], job: Pick<HttpJob, 'seconds'> & { readonly token?: string }) => {
    const connections = CONNECTIONS / processes;
    const rates = await Promise.all(
      loads.map((load, index) => {
        const own = ids.filter((_, guild) => guild % processes === index);
        return load({ ...job, kind, connections, ids: own, origin: origins[index] ?? '' });
      }),
    );
    return rates.reduce((total, rate) => total + rate, 0);
  };
  const found = await measureMedians(context, [
    { name: 'ours', measure: (seconds) => sum(apis, { seconds, token: TOKENS.user }) },
    { name: 'plain-postgres', measure: (seconds) => sum(peers, { seconds }) },
  ]);
  return { ours: found.ours, peers: { 'plain-postgres': found['plain-postgres'] } };
}

const get = { unit: 'requests/s', goal: { is: 'at least', ratio: 0.8 } } as const;
const patch = { unit: 'requests/s', goal: { is: 'at least', ratio: 1.5 } } as const;

/** GET and PATCH on PostgreSQL, with one api process and with two. */
export const POSTGRES_ROWS: readonly Row[] = [
  {
    ...get,
    id: 'pg-get',
    what: 'authorised GET on PostgreSQL, one process',
    measure: (context) => measurePostgres(context, 'read', 1),
  },
  {
    ...get,
    id: 'pg-get-2',
    what: 'authorised GET on PostgreSQL, two processes',
    measure: (context) => measurePostgres(context, 'read', 2),
  },
  {
    ...patch,
    id: 'pg-patch',
    what: 'durable PATCH on PostgreSQL, one process',
    measure: (context) => measurePostgres(context, 'change', 1),
  },
  {
    ...patch,
    id: 'pg-patch-2',
    what: 'durable PATCH on PostgreSQL, two processes',
    measure: (context) => measurePostgres(context, 'change', 2),
  },
];
