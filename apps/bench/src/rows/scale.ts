import type { BenchContext } from '../context.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { compareThroughput, type LoadedServer, sendLoad } from '../loads.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const SMALL = 1_000;
const CONNECTIONS = 64;

/** Measures requests per second with few and with many guilds and changes, and the cost of a request at each size. */
async function measureScale(context: BenchContext, kind: 'read' | 'change'): Promise<Measurement> {
  const { resources, profile } = context;
  const sizes = [SMALL, ...[10_000, 100_000].filter((size) => size < profile.maxGuilds), profile.maxGuilds];
  const discord = resources.use(await startDiscord([]));
  const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
  const servers: LoadedServer[] = [];
  for (const size of sizes) {
    const { path } = await seedSqlite(context, `guilds-${size}`, size);
    const api = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const requests = { kind, caller: 'application', guilds: { first: 0, count: size } } as const;
    const load = { ...requests, connections: CONNECTIONS, origin: api.url };
    servers.push({
      name: nameOf(size),
      pids: [api.program.pid],
      measure: (seconds) => sendLoad(task, load, seconds),
    });
  }
  // The first is compared with the second.
  const ordered = [servers.at(-1), ...servers.slice(0, -1)].filter((server) => server !== undefined);
  const measured = await compareThroughput(context, ordered);
  const rates = { ...measured.peers, [nameOf(profile.maxGuilds)]: measured.ours };
  const name = kind === 'read' ? 'GET' : 'PATCH';
  return {
    ...measured,
    curve: sizes.map((size) => ({ name, size, value: 1_000_000 / (rates[nameOf(size)] ?? Number.NaN) })),
    axes: { size: 'guilds and changes', value: 'µs a request' },
    notes: [
      `${profile.maxGuilds.toLocaleString('en')} guilds and as many changes, requested at random`,
      ...(measured.notes ?? []),
    ],
  };
}

function nameOf(size: number): string {
  return `at ${size.toLocaleString('en')}`;
}

/** GET with many guilds. */
export const scaleGet: Row = {
  id: 'scale-get',
  what: 'rest-get with a great many guilds and changes, beside 1,000',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.9 },
  measure: (context) => measureScale(context, 'read'),
};

/** PATCH with many guilds. */
export const scalePatch: Row = {
  id: 'scale-patch',
  what: 'rest-patch with a great many guilds and changes, beside 1,000',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.9 },
  measure: (context) => measureScale(context, 'change'),
};
