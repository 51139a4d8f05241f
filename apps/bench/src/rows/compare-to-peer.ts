import type { BenchContext } from '../context.ts';
import type { GuildRange } from '../data/guild-ids.ts';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { type Caller, startDiscord } from '../data/world.ts';
import { compareThroughput, type LoadedServer, sendLoad, WARM_UP_REQUESTS } from '../loads.ts';
import { short, spreadOf } from '../report/numbers.ts';
import { measurePeers } from '../rounds.ts';
import type { Measurement } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startEtcd } from '../servers/etcd.ts';
import { type PeerName, startPeer } from '../servers/peers.ts';
import type { Server } from '../servers/server.ts';
import { residentMegabytes } from '../servers/usage.ts';
import { hasWrk, runWrk } from '../servers/wrk.ts';
import type { HttpJob, HttpLoad, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;
const GUILDS = 1_000;

/** Rounds with wrk, which only checks the load of the bench. */
const WRK_ROUNDS = 3;

export interface PeerComparison {
  readonly kind: 'read' | 'conditional' | 'change';
  readonly connections?: number;
  /** Guilds of the file, all of which are requested. */
  readonly guilds?: number;
  readonly caller?: Caller;
  readonly peer?: PeerName;
  /** Whether etcd is a peer as well, for changes. */
  readonly isBesideEtcd?: boolean;
}

/** Measures requests per second to the service, to a peer on a copy of the same file, and to etcd. */
export async function compareToPeer(context: BenchContext, comparison: PeerComparison): Promise<Measurement> {
  const { kind, connections = CONNECTIONS, guilds = GUILDS, caller = 'owners', peer = 'plain-sqlite' } = comparison;
  const { resources } = context;
  const file = await seedSqlite(context, 'guilds', guilds);
  const discord = resources.use(await startDiscord(caller === 'owners' ? file.ids : []));
  const api = resources.use(await startApi({ databaseUrl: `file:${file.path}`, discordUrl: discord.apiUrl }));
  const other = resources.use(await startPeer(peer, (await copyOf(file, peer)).path));
  const etcd = comparison.isBesideEtcd ? await startEtcd(context) : undefined;
  const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
  const range = { first: 0, count: guilds };
  const loaded = (name: string, { url, program }: Server, load: Pick<HttpLoad, 'kind' | 'caller'>): LoadedServer => ({
    name,
    pids: [program.pid],
    // Each guild once on average: what they take in memory is a part of the cost.
    warmUpRequests: Math.max(WARM_UP_REQUESTS, guilds),
    measure: (seconds) => sendLoad(task, { ...load, origin: url, guilds: range, connections }, seconds),
  });
  const measured = await compareThroughput(context, [
    loaded('ours', api, { kind, caller }),
    // A plain server knows no conditions: it responds in full.
    loaded(peer, other, { kind: kind === 'change' ? 'change' : 'read' }),
    ...(etcd === undefined ? [] : [loaded('etcd', etcd, { kind: 'etcd-put' })]),
  ]);
  const judged = await judgeByWrk(context, { kind, caller, guilds: range, connections, ours: api, peer: other });
  const memory = await Promise.all([api, other].map(({ program }) => residentMegabytes([program.pid])));
  const missing = comparison.isBesideEtcd && etcd === undefined ? ['etcd is not installed, and was not measured'] : [];
  return {
    ...measured,
    notes: [
      `${guilds.toLocaleString('en')} guilds`,
      ...(measured.notes ?? []),
      `resident memory: ${memory.map((size) => `${Math.round(size)} MB`).join(' and ')} (${peer})`,
      ...judged,
      ...missing,
    ],
  };
}

interface Judgement {
  readonly kind: PeerComparison['kind'];
  readonly caller: Caller;
  readonly guilds: GuildRange;
  readonly connections: number;
  readonly ours: Server;
  readonly peer: Server;
}

/** Measures the ratio with another load generator where it is installed. */
async function judgeByWrk(context: BenchContext, { kind, ours, peer, ...load }: Judgement): Promise<string[]> {
  // Its rounds are of whole seconds.
  if (kind !== 'read' || !hasWrk || context.profile.roundSeconds < 1) return [];
  const measure = (origin: string) => (seconds: number) => runWrk(context, { ...load, origin, seconds });
  const { ratio, spread } = await measurePeers({ ...context, profile: { ...context.profile, rounds: WRK_ROUNDS } }, [
    { name: 'ours', measure: measure(ours.url) },
    { name: 'peer', measure: measure(peer.url) },
  ]);
  return [`by wrk: ${short(ratio)} x (${spreadOf(spread)})`];
}
