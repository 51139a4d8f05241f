import type { SeededFile } from '../data/sqlite-file.ts';
import { seedHistory } from '../data/sqlite-history.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { compareThroughput, type LoadedServer, sendLoad } from '../loads.ts';
import { short } from '../report/numbers.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { Server } from '../servers/server.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;

/** Guilds of the first owner. */
const OWNED = 100;

/** One change in a hundred is of the guild whose history is read. */
const SHARE = 100;

/** Changes of the small file, all of them of that guild. */
const SMALL = 1_000;

const ENTRIES = 50;

/** The least requests per second, beside `rest-get`. */
const PART_OF_GET = 0.25;

/** Reading the history of a guild. */
export const history: Row = {
  id: 'history',
  what: `${ENTRIES} entries of a guild's history among a great many changes, beside 1,000`,
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.8 },
  also: `>= ${PART_OF_GET} x rest-get`,
  async measure(context) {
    const { resources, profile } = context;
    const changes = profile.maxGuilds;
    const at = Date.now();
    const large = await seedHistory(context, 'large', { guilds: 1_000, changes, firstGuildEvery: SHARE, at });
    const small = await seedHistory(context, 'small', { guilds: 1_000, changes: SMALL, firstGuildEvery: 1, at });
    const discord = resources.use(await startDiscord(large.ids.slice(0, OWNED)));
    const serve = async ({ path }: SeededFile) =>
      resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const [many, few] = [await serve(large), await serve(small)];
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const owned = { first: 0, count: OWNED };
    const send = (name: string, { url, program }: Server, paths?: readonly string[]): LoadedServer => {
      const kind = paths === undefined ? 'read' : 'paths';
      const load = { origin: url, caller: 'owners', guilds: owned, connections: CONNECTIONS, kind } as const;
      return {
        name,
        pids: [program.pid],
        measure: (seconds) => sendLoad(task, { ...load, ...(paths && { paths }) }, seconds),
      };
    };
    const measured = await compareThroughput(context, [
      send('ours', many, await partsOf(many, large)),
      send('at 1,000', few, await partsOf(few, small)),
      send('rest-get', many),
      send('uncached', many, distinctParts(large, changes)),
    ]);
    const { 'rest-get': get = Number.NaN, uncached = Number.NaN } = measured.peers;
    return {
      ...measured,
      alsoMet: measured.ours >= PART_OF_GET * get,
      notes: [
        `a guild with ${short(changes / SHARE)} changes among ${short(changes)}; 1,000: all of one guild`,
        `${short(measured.ours / get)} x rest-get; ${short(uncached / get)} x when no part was read before`,
      ],
    };
  },
};

/** Follows the links from the newest changes to the oldest, and returns the paths of all parts. */
async function partsOf(server: Server, { ids: [id] }: SeededFile): Promise<string[]> {
  const paths: string[] = [];
  for (let next: string | undefined = `/guilds/${id}/history`; next !== undefined; ) {
    const response: Response = await fetch(`${server.url}${next}`, {
      headers: { authorization: `Bearer ${TOKENS.user}` },
    });
    const { entries } = (await response.json()) as { readonly entries: readonly unknown[] };
    if (entries.length === ENTRIES) paths.push(next);
    next = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return paths;
}

/** Returns paths of parts that begin at different revisions, so that each request reads the log. */
function distinctParts({ ids: [id] }: SeededFile, changes: number): string[] {
  const newest = Math.floor(changes / SHARE);
  return Array.from(
    { length: newest - ENTRIES },
    (_, index) => `/guilds/${id}/history?before=${changes - SHARE * index}`,
  );
}
