import type { BenchContext } from '../context.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { measureMedians } from '../rounds.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { HttpJob } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const SMALL = 1_000;
const CONNECTIONS = 64;

/** Guilds that are requested at each size, spread over all guilds. */
const REQUESTED = 15 * CONNECTIONS;

/** Measures requests per second with few and with many guilds and changes, and the cost of a request at each size. */
async function measureScale(context: BenchContext, kind: 'read' | 'change'): Promise<Measurement> {
  const { resources, profile } = context;
  const sizes = [SMALL, ...[10_000, 100_000].filter((size) => size < profile.maxGuilds), profile.maxGuilds];
  const discord = resources.use(await startDiscord([]));
  const load = resources.use(startTask<HttpJob, number>('http-load'));
  const candidates = [];
  for (const size of sizes) {
    const { path, ids } = await seedSqlite(context, `guilds-${size}`, size);
    const api = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const step = Math.max(1, Math.floor(size / REQUESTED));
    const requested = ids.filter((_, index) => index % step === 0).slice(0, REQUESTED);
    const job = { kind, ids: requested, token: TOKENS.application, connections: CONNECTIONS, origin: api.url };
    candidates.push({ name: String(size), measure: (seconds: number) => load({ ...job, seconds }) });
  }
  const found = await measureMedians(context, candidates);
  const at = (size: number) => found[String(size)] ?? 0;
  const name = kind === 'read' ? 'GET' : 'PATCH';
  return {
    ours: at(profile.maxGuilds),
    peers: { [`at ${SMALL.toLocaleString('en')}`]: at(SMALL) },
    curve: sizes.map((size) => ({ name, size, value: 1_000_000 / at(size) })),
    axes: { size: 'guilds and changes', value: 'µs a request' },
    notes: [
      `${profile.maxGuilds.toLocaleString('en')} guilds and as many changes; ${REQUESTED.toLocaleString('en')} of them requested`,
    ],
  };
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
