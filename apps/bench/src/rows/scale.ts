import { alternate } from '../alternate.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { Lab } from '../lab.ts';
import type { HttpJob } from '../load/jobs.ts';
import { startLoad } from '../load/load.ts';
import type { Measured, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';

const SMALL = 1_000;
const CONNECTIONS = 64;

/** Guilds that are asked for, spread over all there are: as many at each size. */
const ASKED = 15 * CONNECTIONS;

/** Requests a second with few guilds and changes, and with a great many; the cost of a request at each size. */
async function measureScale(lab: Lab, kind: 'read' | 'change'): Promise<Measured> {
  const { cleanUp, effort } = lab;
  const sizes = [SMALL, ...[10_000, 100_000].filter((size) => size < effort.most), effort.most];
  const discord = cleanUp.use(await startDiscord([]));
  const load = cleanUp.use(startLoad<HttpJob>('http-load'));
  const contestants = [];
  for (const size of sizes) {
    const { path, ids } = await seedSqlite(lab, `guilds-${size}`, size);
    const api = cleanUp.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const step = Math.max(1, Math.floor(size / ASKED));
    const asked = ids.filter((_, index) => index % step === 0).slice(0, ASKED);
    const job = { kind, ids: asked, token: TOKENS.application, connections: CONNECTIONS, origin: api.url };
    contestants.push({ name: String(size), measure: (seconds: number) => load({ ...job, seconds }) });
  }
  const found = await alternate(lab, contestants);
  const at = (size: number) => found[String(size)] ?? 0;
  const name = kind === 'read' ? 'GET' : 'PATCH';
  return {
    ours: at(effort.most),
    peers: { [`at ${SMALL.toLocaleString('en')}`]: at(SMALL) },
    curve: sizes.map((size) => ({ name, size, value: 1_000_000 / at(size) })),
    axes: { size: 'guilds and changes', value: 'µs a request' },
    notes: [
      `${effort.most.toLocaleString('en')} guilds and as many changes; ${ASKED.toLocaleString('en')} of them asked for`,
    ],
  };
}

/** What a GET costs when there are a great many guilds. */
export const scaleGet: Row = {
  id: 'scale-get',
  what: 'rest-get with a great many guilds and changes, beside 1,000',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.9 },
  measure: (lab) => measureScale(lab, 'read'),
};

/** What a PATCH costs when there are a great many guilds. */
export const scalePatch: Row = {
  id: 'scale-patch',
  what: 'rest-patch with a great many guilds and changes, beside 1,000',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.9 },
  measure: (lab) => measureScale(lab, 'change'),
};
