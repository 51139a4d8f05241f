import { join } from 'node:path';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { compareThroughput, type LoadedServer, sendLoad } from '../loads.ts';
import { short } from '../report/numbers.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import type { Server } from '../servers/server.ts';
import type { HttpJob, HttpLoad, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 1_000;

/** The CPU time that the log and the limit may take, as a multiple of that without them. */
const MAX_COST = 1.3;

/** The log of production, and a limit that no owner reaches. */
const DEFAULTS = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' };

/** GET as operators run the service. */
export const getDefault: Row = {
  id: 'get-default',
  what: 'rest-get with the log of requests and the rate limit, beside Fastify with its log',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 1.3 },
  also: `CPU time <= ${MAX_COST} x that without log and limit`,
  async measure(context) {
    const { resources, folder } = context;
    const file = await seedSqlite(context, 'guilds', GUILDS);
    const discord = resources.use(await startDiscord(file.ids));
    const start = async (name: string, env: NodeJS.ProcessEnv = {}) => {
      const { path } = await copyOf(file, name);
      const outputFile = join(folder, `${name}.log`);
      return resources.use(
        await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl, env, outputFile }),
      );
    };
    const plain = await startPeer('plain-sqlite', (await copyOf(file, 'plain')).path, {
      env: { LOG_LEVEL: 'info' },
      outputFile: join(folder, 'plain.log'),
    });
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const load = { kind: 'read', guilds: { first: 0, count: GUILDS }, connections: 64 } as const;
    const loaded = (name: string, { url, program }: Server, credentials: Pick<HttpLoad, 'caller'>): LoadedServer => ({
      name,
      pids: [program.pid],
      measure: (seconds) => sendLoad(task, { ...load, ...credentials, origin: url }, seconds),
    });
    const measured = await compareThroughput(context, [
      loaded('ours', await start('default', DEFAULTS), { caller: 'owners' }),
      loaded('plain-sqlite with its log', resources.use(plain), {}),
      loaded('without log and limit', await start('quiet'), { caller: 'owners' }),
    ]);
    const cost = measured.cpu.ours / (measured.cpu.peers['without log and limit'] ?? Number.NaN);
    return {
      ...measured,
      alsoMet: cost <= MAX_COST,
      notes: [`CPU time: ${short(cost)} x that without log and limit`, ...measured.notes],
    };
  },
};
