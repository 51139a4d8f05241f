import { alternate } from '../alternate.ts';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { Lab } from '../lab.ts';
import type { HttpJob } from '../load/jobs.ts';
import { startLoad } from '../load/load.ts';
import type { Measured } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { type PeerName, startPeer } from '../servers/peers.ts';

const CONNECTIONS = 64;

/** Guilds of the person who asks: two for each connection, below what Discord lists in one page. */
const OWNED = 2 * CONNECTIONS;

/** Requests of one kind a second to the service, and to a peer on a copy of the same file. */
export async function besidePeer(lab: Lab, kind: HttpJob['kind'], peer: PeerName = 'plain-sqlite'): Promise<Measured> {
  const { cleanUp } = lab;
  const file = await seedSqlite(lab, 'guilds', 1_000);
  const ids = file.ids.slice(0, OWNED);
  const discord = cleanUp.use(await startDiscord(ids));
  const api = cleanUp.use(await startApi({ databaseUrl: `file:${file.path}`, discordUrl: discord.apiUrl }));
  const other = cleanUp.use(await startPeer(peer, (await copyOf(file, peer)).path));
  const load = cleanUp.use(startLoad<HttpJob>('http-load'));
  const job = { kind, ids, connections: CONNECTIONS };
  const found = await alternate(lab, [
    {
      name: 'ours',
      measure: (seconds) => load({ ...job, seconds, origin: api.url, token: TOKENS.person, firstRevision: 1 }),
    },
    // A plain server knows no conditions: it answers in full.
    {
      name: peer,
      measure: (seconds) => load({ ...job, seconds, kind: kind === 'change' ? 'change' : 'read', origin: other.url }),
    },
  ]);
  return { ours: found.ours ?? 0, peers: { [peer]: found[peer] ?? 0 } };
}
