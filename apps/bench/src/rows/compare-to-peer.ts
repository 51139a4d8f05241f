import type { BenchContext } from '../context.ts';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { measureMedians } from '../rounds.ts';
import type { Measurement } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { type PeerName, startPeer } from '../servers/peers.ts';
import type { HttpJob } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;

/** Guilds of the user: two for each connection, and fewer than one page of Discord's list. */
const OWNED = 2 * CONNECTIONS;

/** Measures requests per second to the service, and to a peer on a copy of the same file. */
export async function compareToPeer(
  context: BenchContext,
  kind: HttpJob['kind'],
  peer: PeerName = 'plain-sqlite',
): Promise<Measurement> {
  const { resources } = context;
  const file = await seedSqlite(context, 'guilds', 1_000);
  const ids = file.ids.slice(0, OWNED);
  const discord = resources.use(await startDiscord(ids));
  const api = resources.use(await startApi({ databaseUrl: `file:${file.path}`, discordUrl: discord.apiUrl }));
  const other = resources.use(await startPeer(peer, (await copyOf(file, peer)).path));
  const load = resources.use(startTask<HttpJob, number>('http-load'));
  const job = { kind, ids, connections: CONNECTIONS };
  const found = await measureMedians(context, [
    {
      name: 'ours',
      measure: (seconds) => load({ ...job, seconds, origin: api.url, token: TOKENS.user, firstRevision: 1 }),
    },
    // A plain server knows no conditions: it answers in full.
    {
      name: peer,
      measure: (seconds) => load({ ...job, seconds, kind: kind === 'change' ? 'change' : 'read', origin: other.url }),
    },
  ]);
  return { ours: found.ours ?? 0, peers: { [peer]: found[peer] ?? 0 } };
}
