import { join } from 'node:path';
import { type BenchContext, compareSeries, type Measurement, measureRounds, median, type Row } from './bench.ts';
import { compareThroughput, type HttpTask } from './http-load.ts';
import { residentMegabytes, startPeer, startTask } from './processes.ts';
import { short } from './report.ts';
import {
  type Caller,
  copyOf,
  guildIds,
  seedPostgres,
  seedSqlite,
  serveFile,
  startApi,
  startDiscord,
  TOKENS,
} from './service.ts';

const unit = 'requests/s';

export const restGet: Row = {
  ...plainRow('rest-get', 1.2, () => ({ kind: 'read' })),
  figure: 'Settings that one process reads for dashboards and tools',
};

/** Authorised GET of guilds at random, of which few were requested before. */
export const getWide = plainRow('get-wide', 1, ({ wideGuilds }) => {
  return { kind: 'read', guilds: wideGuilds, caller: 'application' };
});

/** `rest-get` with the log of production and a rate limit that no owner reaches, beside Fastify with its log. */
export const getDefault = plainRow('get-default', 1.2, () => {
  return { kind: 'read', env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' } };
});

/** PATCH of guilds at random, 64 connections: each change is on the disk before the response. */
export const restPatch: Row = {
  ...plainRow('rest-patch', 3, () => ({ kind: 'change' })),
  figure: 'Changes that one process writes to the disk',
};

/** PATCHes of one writer, of which no two share a commit. */
export const patchLone = plainRow('patch-lone', 0.8, () => ({ kind: 'change', connections: 1 }));

interface Comparison {
  readonly kind: 'read' | 'change';
  readonly connections?: number;
  readonly guilds?: number;
  readonly caller?: Caller;
  /** More of the environment of both servers, whose logs go to files. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Returns a row of requests per second to the service, and to a plain server on a copy of the same file. */
function plainRow(id: string, ratio: number, comparisonOf: (profile: BenchContext['profile']) => Comparison): Row {
  const measure = (context: BenchContext) => compareToPlain(context, comparisonOf(context.profile));
  return { id, unit, goal: { is: 'at least', ratio }, measure };
}

async function compareToPlain(context: BenchContext, comparison: Comparison): Promise<Measurement> {
  const { kind, connections = 64, guilds: count = 1_000, caller = 'owners', env = {} } = comparison;
  const file = await seedSqlite(context, count);
  const placed = (name: string) => ({ env, outputFile: join(context.folder, `${name}.log`) });
  const plain = context.resources.use(await startPeer('plain-sqlite', await copyOf(file), placed('plain')));
  const api = await serveFile(context, file, { owned: caller === 'owners' ? guildIds(count) : [], ...placed('ours') });
  const load = { kind, connections, guilds: { first: 0, count } };
  const measured = await compareThroughput(context, [
    { name: 'ours', servers: [api], load: { ...load, caller } },
    { name: 'plain-sqlite', servers: [plain], load },
  ]);
  return { ...measured, notes: [`${count.toLocaleString('en')} guilds`, ...measured.notes] };
}

/** Authorised `guilds.get` by the typed client, in batches of 10. */
export const trpcGet: Row = {
  id: 'trpc-get',
  unit: 'calls/s',
  goal: { is: 'at least', ratio: 0.95 },
  async measure(context) {
    const { resources } = context;
    const file = await seedSqlite(context, 1_000);
    const ids = guildIds(100);
    const { url: peer } = resources.use(await startPeer('trpc-adapter', await copyOf(file)));
    const { url: origin } = await serveFile(context, file, { owned: ids });
    const task = resources.use(startTask<HttpTask>('http-load'));
    const series = await measureRounds(context, [
      { name: 'ours', measure: (seconds) => task.run('call', { origin, token: TOKENS.user, ids, seconds }) },
      { name: 'trpc-adapter', measure: (seconds) => task.run('call', { origin: peer, ids, seconds }) },
    ]);
    return compareSeries(series);
  },
};

/** The memory of the last quarter of the requests, as a multiple of that of the second one. */
const MAX_GROWTH = 1.1;
const MIN_SAMPLES = 8;

/** Resident memory of the api while many guilds are read, and changed some 300 times a second. */
export const memoryWide: Row = {
  id: 'memory-wide',
  figure: 'Memory of a process that serves 100,000 guilds',
  unit: 'MB',
  goal: { is: 'at most', ratio: 250 },
  also: `the last quarter of the requests <= ${MAX_GROWTH} x the second`,
  async measure(context) {
    const { resources, profile, progress } = context;
    const guilds = { first: 0, count: profile.manyGuilds };
    const { url: origin, pid } = await serveFile(context, await seedSqlite(context, guilds.count));
    const task = resources.use(startTask<HttpTask>('http-load'));
    const common = { origin, caller: 'application', guilds } as const;
    const loads = [
      { ...common, kind: 'read', connections: 64 },
      { ...common, kind: 'change', connections: 6, pauseMs: 20 },
    ] as const;
    const samples: { readonly sent: number; readonly megabytes: number }[] = [];
    const deadline = performance.now() + profile.soakSeconds * 1_000;
    let sent = 0;
    while (samples.length < MIN_SAMPLES || performance.now() < deadline) {
      sent += (await task.run('send', { loads, seconds: 1 })).requests;
      samples.push({ sent, megabytes: residentMegabytes(pid) });
      progress(`${short(sent)} requests`);
    }
    const quarter = (which: number) =>
      median(samples.filter((one) => Math.ceil((4 * one.sent) / sent) === which).map(({ megabytes }) => megabytes));
    const growth = quarter(4) / quarter(2);
    return {
      ours: Math.max(...samples.map(({ megabytes }) => megabytes)),
      peers: {},
      also: { found: short(growth), isMet: growth <= MAX_GROWTH },
      notes: [`${short(guilds.count)} guilds, ${short(sent)} requests; the most of ${samples.length} samples`],
    };
  },
};

export const postgresGet = postgresRow('pg-get', 'read', { one: 0.8, two: 1 });
export const postgresPatch = postgresRow('pg-patch', 'change', { one: 1.5, two: 1.2 });

/** One process beside a plain one on PostgreSQL, and beside two. None is pinned, because PostgreSQL is not. */
function postgresRow(id: string, kind: 'read' | 'change', goals: { readonly one: number; readonly two: number }): Row {
  return {
    id,
    unit,
    goal: { is: 'at least', ratio: goals.one },
    also: `two processes >= ${goals.two} x one`,
    async measure(context) {
      const { resources } = context;
      const place = 'anywhere';
      const load = { kind, guilds: { first: 0, count: 1_000 }, connections: 64 };
      const databases = await seedPostgres(context, load.guilds.count);
      const discord = resources.use(await startDiscord(guildIds(load.guilds.count)));
      const options = { databaseUrl: databases.ours, discordUrl: discord.apiUrl, place } as const;
      const [one, other] = [resources.use(await startApi(options)), resources.use(await startApi(options))];
      const plain = resources.use(await startPeer('plain-postgres', databases.peer, { place }));
      const authorized = { ...load, caller: 'owners' } as const;
      const all = [
        { name: 'ours', servers: [one], load: authorized },
        { name: 'plain-postgres', servers: [plain], load },
        { name: 'two processes', servers: [one, other], load: authorized },
      ];
      const measured = await compareThroughput(context, all, place);
      const gain = 1 / (measured.ratios['two processes'] ?? Number.NaN);
      return { ...measured, also: { found: `${short(gain)} x`, isMet: gain >= goals.two } };
    },
  };
}
