import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { TOKENS } from '../data/world.ts';
import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import { serveFile } from '../servers/api.ts';
import { startPeer } from '../servers/server.ts';
import { startTask } from '../tasks/task.ts';
import type { TrpcJob } from '../tasks/trpc-load.ts';

const OWNED = 100;

/** Authorised `guilds.get` by the typed client, in batches of 10. */
export const trpcGet: Row = {
  id: 'trpc-get',
  unit: 'calls/s',
  goal: { is: 'at least', ratio: 0.95 },
  async measure(context) {
    const { resources } = context;
    const file = await seedSqlite(context, 'guilds', 1_000);
    const ids = file.ids.slice(0, OWNED);
    const api = await serveFile(context, file.path, { owned: ids });
    const peer = resources.use(await startPeer('trpc-adapter', (await copyOf(file, 'peer')).path));
    const load = resources.use(startTask<TrpcJob, number>('trpc-load'));
    return measurePeers(context, [
      { name: 'ours', measure: (seconds) => load({ ids, seconds, origin: api.url, token: TOKENS.user }) },
      { name: 'trpc-adapter', measure: (seconds) => load({ ids, seconds, origin: peer.url }) },
    ]);
  },
};
