import { alternate } from '../alternate.ts';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { TrpcJob } from '../load/jobs.ts';
import { startLoad } from '../load/load.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';

/** Calls in a request, requests at a time, guilds of the person who asks. */
const BATCH = 10;
const CONNECTIONS = 16;
const OWNED = 128;

/** The typed client's calls. */
export const trpcGet: Row = {
  id: 'trpc-get',
  what: 'authorised guilds.get by the typed client, batches of 10',
  unit: 'calls/s',
  goal: { is: 'at least', ratio: 0.95 },
  async measure(lab) {
    const { cleanUp } = lab;
    const file = await seedSqlite(lab, 'guilds', 1_000);
    const ids = file.ids.slice(0, OWNED);
    const discord = cleanUp.use(await startDiscord(ids));
    const api = cleanUp.use(await startApi({ databaseUrl: `file:${file.path}`, discordUrl: discord.apiUrl }));
    const peer = cleanUp.use(await startPeer('trpc-adapter', (await copyOf(file, 'peer')).path));
    const load = cleanUp.use(startLoad<TrpcJob>('trpc-load'));
    const job = { ids, batch: BATCH, connections: CONNECTIONS };
    const found = await alternate(lab, [
      { name: 'ours', measure: (seconds) => load({ ...job, seconds, origin: api.url, token: TOKENS.person }) },
      { name: 'trpc-adapter', measure: (seconds) => load({ ...job, seconds, origin: peer.url }) },
    ]);
    return { ours: found.ours, peers: { 'trpc-adapter': found['trpc-adapter'] } };
  },
};
