import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import { copyOf, seedSqlite } from '../data/sqlite-file.ts';
import type { Caller } from '../data/world.ts';
import { compareThroughput, type LoadedServer, sendLoad } from '../loads.ts';
import type { Measurement, Row } from '../row.ts';
import { serveFile } from '../servers/api.ts';
import { type Server, startPeer } from '../servers/server.ts';
import type { HttpJob, HttpLoad, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const unit = 'requests/s';

export const restGet: Row = {
  id: 'rest-get',
  figure: 'Settings that one process reads for dashboards and tools',
  unit,
  goal: { is: 'at least', ratio: 1.2 },
  measure: (context) => compareToPlain(context, { kind: 'read' }),
};

/** Authorised GET of guilds at random, of which few were requested before. */
export const getWide: Row = {
  id: 'get-wide',
  unit,
  goal: { is: 'at least', ratio: 1 },
  measure: (context) =>
    compareToPlain(context, { kind: 'read', guilds: context.profile.wideGuilds, caller: 'application' }),
};

/** `rest-get` with the log of production and a rate limit that no owner reaches, beside Fastify with its log. */
export const getDefault: Row = {
  id: 'get-default',
  unit,
  goal: { is: 'at least', ratio: 1.2 },
  measure: (context) =>
    compareToPlain(context, { kind: 'read', env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' } }),
};

/** PATCH of guilds at random, 64 connections: each change is on the disk before the response. */
export const restPatch: Row = {
  id: 'rest-patch',
  figure: 'Changes that one process writes to the disk',
  unit,
  goal: { is: 'at least', ratio: 3 },
  measure: (context) => compareToPlain(context, { kind: 'change' }),
};

/** PATCHes of one writer, of which no two share a commit. */
export const patchLone: Row = {
  id: 'patch-lone',
  unit,
  goal: { is: 'at least', ratio: 0.8 },
  measure: (context) => compareToPlain(context, { kind: 'change', connections: 1 }),
};

interface Comparison {
  readonly kind: 'read' | 'change';
  readonly connections?: number;
  readonly guilds?: number;
  readonly caller?: Caller;
  /** More of the environment of both servers, whose logs go to files. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Measures requests per second to the service, and to a plain server on a copy of the same file. */
async function compareToPlain(context: BenchContext, comparison: Comparison): Promise<Measurement> {
  const { kind, connections = 64, guilds = 1_000, caller = 'owners', env = {} } = comparison;
  const { resources, folder } = context;
  const file = await seedSqlite(context, 'guilds', guilds);
  const placed = (name: string) => ({ env, outputFile: join(folder, `${name}.log`) });
  const owned = caller === 'owners' ? file.ids : [];
  const api = await serveFile(context, file.path, { owned, ...placed('ours') });
  const plain = resources.use(await startPeer('plain-sqlite', (await copyOf(file, 'plain')).path, placed('plain')));
  const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
  const load = { kind, guilds: { first: 0, count: guilds }, connections };
  const loaded = (name: string, { url, pid }: Server, credentials: Pick<HttpLoad, 'caller'>): LoadedServer => ({
    name,
    pids: [pid],
    // Each guild once on average: what they take in memory is a part of the cost.
    warmUpRequests: guilds,
    measure: (seconds) => sendLoad(task, { ...load, ...credentials, origin: url }, seconds),
  });
  const measured = await compareThroughput(context, [
    loaded('ours', api, { caller }),
    loaded('plain-sqlite', plain, {}),
  ]);
  return { ...measured, notes: [`${guilds.toLocaleString('en')} guilds`, ...measured.notes] };
}
