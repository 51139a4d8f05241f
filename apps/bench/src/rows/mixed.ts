import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { measureLoads } from '../loads.ts';
import { short } from '../report/numbers.ts';
import { compareSeries } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { median } from '../statistics.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CHANGES_PER_SECOND = 300;

const GUILDS = 100_000;

/** The longest that a request may take beside changes. */
const MAX_STALL_MS = 50;

/** Reads beside changes. */
export const mixed: Row = {
  id: 'mixed',
  what: `p99 of a GET, 64 connections, beside ${CHANGES_PER_SECOND} PATCHes a second; beside that of GETs alone`,
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  also: `no request over ${MAX_STALL_MS} ms`,
  async measure(context) {
    const { resources } = context;
    const guilds = { first: 0, count: GUILDS };
    const { path } = await seedSqlite(context, 'guilds', guilds.count);
    const discord = resources.use(await startDiscord([]));
    const { url, program } = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const requests = { origin: url, caller: 'application', guilds, connections: 64 } as const;
    const reads = { ...requests, kind: 'read' } as const;
    const changes = { ...requests, kind: 'change', perSecond: CHANGES_PER_SECOND } as const;
    const slowestChanges: number[] = [];
    const measure = (loads: HttpJob['loads']) => async (seconds: number) => {
      const [read, change] = await task({ loads, seconds });
      if (read === undefined) throw new Error('Expected the report of a load');
      if (change !== undefined) slowestChanges.push(change.p99Ms);
      return read;
    };
    const found = await measureLoads(context, [
      { name: 'ours', pids: [program.pid], warmUpRequests: GUILDS, measure: measure([reads, changes]) },
      { name: 'alone', pids: [program.pid], measure: measure([reads]) },
    ]);
    const values = (name: string, of: (load: LoadReport) => number) => (found[name] ?? []).map(of);
    const p99Of = (name: string) => ({ name, values: values(name, ({ p99Ms }) => p99Ms) });
    const [slowest, alone] = ['ours', 'alone'].map((name) => Math.max(...values(name, ({ maxMs }) => maxMs)));
    const [rate, aloneRate] = ['ours', 'alone'].map((name) => median(values(name, ({ perSecond }) => perSecond)));
    return {
      ...compareSeries(p99Of('ours'), [p99Of('alone')]),
      alsoMet: slowest !== undefined && slowest <= MAX_STALL_MS,
      notes: [
        `${short(guilds.count)} guilds at random; the slowest GET: ${short(slowest ?? null)} ms, ${short(alone ?? null)} ms alone`,
        `GETs a second: ${short(rate ?? null)}, ${short(aloneRate ?? null)} alone; p99 of a PATCH: ${short(median(slowestChanges))} ms`,
      ],
    };
  },
};
