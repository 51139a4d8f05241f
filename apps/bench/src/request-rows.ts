import { join } from 'node:path';
import { type Measurement, median, type Row, short } from './bench.ts';
import { compareThroughput, type HttpLoad, type HttpTask } from './http-load.ts';
import { residentMegabytes, startPeer, startTask } from './processes.ts';
import { type Caller, guildIds, seedPostgres, seedSqlite, serveFile, startApi, startDiscord } from './service.ts';

interface Comparison {
  readonly kind: HttpLoad['kind'];
  readonly peer?: string;
  readonly connections?: number;
  /** The set of guilds, of which a random one is requested. */
  readonly guilds?: 'wideGuilds';
  readonly caller?: Caller;
  /** Additional environment of both servers, whose logs are written to files. */
  readonly env?: NodeJS.ProcessEnv;
}

const FEW_GUILDS = 1_000;

/** A row of requests per second to the service, and to a plain server on a copy of the same file. */
function plainRow(id: string, minRatio: number, comparison: Comparison): Row {
  return {
    id,
    unit: comparison.kind === 'batch' ? 'batches/s' : 'requests/s',
    goal: { minRatio },
    async measure(context): Promise<Measurement> {
      const { kind, peer = 'plain-sqlite', connections = 64, guilds, caller = 'owners', env = {} } = comparison;
      const count = guilds === undefined ? FEW_GUILDS : context.profile[guilds];
      const files = await seedSqlite(context, count);
      const placed = (name: string) => ({ env, outputFile: join(context.folder, `${name}.log`) });
      const plain = context.resources.use(await startPeer(peer, files.peer, placed('plain')));
      const owned = caller === 'owners' ? guildIds(count) : [];
      const api = await serveFile(context, files.ours, { owned, ...placed('ours') });
      const load = { kind, connections, guilds: { first: 0, count } };
      const series = await compareThroughput(context, [
        { name: 'ours', servers: [api], load: { ...load, caller } },
        { name: peer, servers: [plain], load },
      ]);
      return { series };
    },
  };
}

/**
 * The service as one process, compared with a plain one on PostgreSQL, and with two processes. They are not pinned,
 * because PostgreSQL is not.
 */
function postgresRow(id: string, kind: 'read' | 'change', goals: { readonly one: number; readonly two: number }): Row {
  return {
    id,
    unit: 'requests/s',
    goal: { minRatio: goals.one },
    also: `two processes >= ${goals.two} x one`,
    async measure(context) {
      const { resources } = context;
      const place = 'anywhere';
      const load = { kind, guilds: { first: 0, count: FEW_GUILDS }, connections: 64 };
      const databases = await seedPostgres(context, FEW_GUILDS);
      const discord = resources.use(await startDiscord(guildIds(FEW_GUILDS)));
      const options = { databaseUrl: databases.ours, discordUrl: discord.apiUrl, place } as const;
      const [one, other] = [resources.use(await startApi(options)), resources.use(await startApi(options))];
      const plain = resources.use(await startPeer('plain-postgres', databases.peer, { place }));
      const authorized = { ...load, caller: 'owners' } as const;
      const all = [
        { name: 'ours', servers: [one], load: authorized },
        { name: 'plain-postgres', servers: [plain], load },
        { name: 'two processes', servers: [one, other], load: authorized },
      ] as const;
      const series = await compareThroughput(context, all, place);
      const gain = median(series[2]?.values ?? []) / median(series[0].values);
      return { series, also: { found: `${short(gain)} x`, isMet: gain >= goals.two } };
    },
  };
}

/** Maximum ratio of the memory in the last quarter of the samples to that in the second one. */
const MAX_GROWTH = 1.1;
const MIN_SAMPLES = 8;

/** Resident memory of the api while many guilds are read, and changed some 300 times per second. */
const memoryWide: Row = {
  id: 'memory-wide',
  unit: 'MB',
  goal: { maxValue: 250 },
  also: `the last quarter of the time <= ${MAX_GROWTH} x the second`,
  async measure(context) {
    const { resources, profile, progress } = context;
    const guilds = { first: 0, count: profile.manyGuilds };
    const { ours } = await seedSqlite(context, guilds.count);
    const { url: origin, pid } = await serveFile(context, ours);
    const task = resources.use(startTask<HttpTask>('http-load'));
    const common = { origin, caller: 'application', guilds } as const;
    const loads = [
      { ...common, kind: 'read', connections: 64 },
      { ...common, kind: 'change', connections: 6, pauseMs: 20 },
    ] as const;
    const samples: number[] = [];
    const deadline = performance.now() + profile.soakSeconds * 1_000;
    while (samples.length < MIN_SAMPLES || performance.now() < deadline) {
      await task.run('send', { loads, seconds: 1 });
      samples.push(residentMegabytes(pid));
      progress(`${samples.length} seconds`);
    }
    const quarter = samples.length / 4;
    const growth = median(samples.slice(3 * quarter)) / median(samples.slice(quarter, 2 * quarter));
    return {
      series: [{ name: 'ours', values: [Math.max(...samples)] }],
      also: { found: short(growth), isMet: growth <= MAX_GROWTH },
    };
  },
};

export const requestRows: readonly Row[] = [
  plainRow('rest-get', 0.9, { kind: 'read' }),
  // Guilds of which few were requested before.
  plainRow('get-wide', 0.6, { kind: 'read', guilds: 'wideGuilds', caller: 'application' }),
  // With production logging, and a rate limit that owners do not reach, compared with Fastify with its log.
  plainRow('get-default', 1.2, { kind: 'read', env: { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '1000000' } }),
  // Each change is on disk before the response.
  plainRow('rest-patch', 4, { kind: 'change' }),
  // A single writer, whose changes never share a commit.
  plainRow('patch-lone', 0.85, { kind: 'change', connections: 1 }),
  plainRow('trpc-get', 1.05, { kind: 'batch', peer: 'trpc-adapter', connections: 16 }),
  postgresRow('pg-get', 'read', { one: 0.8, two: 1 }),
  postgresRow('pg-patch', 'change', { one: 1.5, two: 1.2 }),
  memoryWide,
];
