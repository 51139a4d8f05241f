import type { SeededFile } from '../data/sqlite-file.ts';
import { seedHistory } from '../data/sqlite-history.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { short } from '../report/numbers.ts';
import { measureMedians } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { Server } from '../servers/server.ts';
import type { HttpJob } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const CONNECTIONS = 64;

/** Guilds of the user, as in `rest-get`. */
const OWNED = 2 * CONNECTIONS;

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
    const load = resources.use(startTask<HttpJob, number>('http-load'));
    const job = { token: TOKENS.user, ids: large.ids.slice(0, OWNED), connections: CONNECTIONS };
    const [partsOfMany, partsOfFew] = [await partsOf(many, large), await partsOf(few, small)];
    const read = (server: Server, paths: readonly string[]) => (seconds: number) =>
      load({ ...job, kind: 'paths', paths, origin: server.url, seconds });
    const found = await measureMedians(context, [
      { name: 'many', measure: read(many, partsOfMany) },
      { name: 'few', measure: read(few, partsOfFew) },
      { name: 'get', measure: (seconds) => load({ ...job, kind: 'read', origin: many.url, seconds }) },
      { name: 'uncached', measure: read(many, distinctParts(large, changes)) },
    ]);
    return {
      ours: found.many,
      peers: { 'at 1,000': found.few, 'rest-get': found.get },
      alsoMet: found.many >= PART_OF_GET * found.get,
      notes: [
        `a guild with ${short(changes / SHARE)} changes among ${short(changes)}; 1,000: all of one guild`,
        `${short(found.many / found.get)} x rest-get; ${short(found.uncached / found.get)} x when no part was read before`,
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
