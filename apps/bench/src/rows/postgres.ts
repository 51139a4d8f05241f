import { alternate } from '../alternate.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { Lab } from '../lab.ts';
import type { HttpJob } from '../load/jobs.ts';
import { startLoad } from '../load/load.ts';
import type { Measured, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { seedPostgres } from '../servers/postgres.ts';
import type { Server } from '../servers/server.ts';

const CONNECTIONS = 64;
const OWNED = 2 * CONNECTIONS;

/** Requests a second to so many processes, and to as many of a peer's. Nothing is pinned: there are more than two. */
async function measurePostgres(lab: Lab, kind: 'read' | 'change', processes: number): Promise<Measured> {
  const { cleanUp } = lab;
  const place = 'anywhere';
  const { ours, peer, ids: all } = await seedPostgres(lab, 1_000);
  const ids = all.slice(0, OWNED);
  const discord = cleanUp.use(await startDiscord(ids));
  const start = async (one: () => Promise<Server>) => {
    const servers = [];
    for (let index = 0; index < processes; index++) servers.push(cleanUp.use(await one()));
    return servers.map(({ url }) => url);
  };
  const apis = await start(() => startApi({ databaseUrl: ours, discordUrl: discord.apiUrl, place }));
  const peers = await start(() => startPeer('plain-postgres', peer, place));
  const loads = apis.map(() => cleanUp.use(startLoad<HttpJob>('http-load', place)));
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
  const found = await alternate(lab, [
    { name: 'ours', measure: (seconds) => sum(apis, { seconds, token: TOKENS.person }) },
    { name: 'plain-postgres', measure: (seconds) => sum(peers, { seconds }) },
  ]);
  return { ours: found.ours, peers: { 'plain-postgres': found['plain-postgres'] } };
}

const get = { unit: 'requests/s', goal: { is: 'at least', ratio: 0.8 } } as const;
const patch = { unit: 'requests/s', goal: { is: 'at least', ratio: 1.5 } } as const;

/** Reading and changing on PostgreSQL, with one api process and with two. */
export const POSTGRES_ROWS: readonly Row[] = [
  {
    ...get,
    id: 'pg-get',
    what: 'authorised GET on PostgreSQL, one process',
    measure: (lab) => measurePostgres(lab, 'read', 1),
  },
  {
    ...get,
    id: 'pg-get-2',
    what: 'authorised GET on PostgreSQL, two processes',
    measure: (lab) => measurePostgres(lab, 'read', 2),
  },
  {
    ...patch,
    id: 'pg-patch',
    what: 'durable PATCH on PostgreSQL, one process',
    measure: (lab) => measurePostgres(lab, 'change', 1),
  },
  {
    ...patch,
    id: 'pg-patch-2',
    what: 'durable PATCH on PostgreSQL, two processes',
    measure: (lab) => measurePostgres(lab, 'change', 2),
  },
];
