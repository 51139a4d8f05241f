import type { SeededFile } from '../data/sqlite-file.ts';
import { seedHistory } from '../data/sqlite-history.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { compareThroughput, type LoadedServer, sendLoad } from '../loads.ts';
import { short } from '../report/report.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { Server } from '../servers/server.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const OWNED = 100;

const SHARE = 100;

/** Changes of the small file, all of them of that guild. */
const SMALL = 1_000;

const ENTRIES = 50;

/** Parts of 50 entries of a guild's history among a great many changes, beside the same among few. */
export const history: Row = {
  id: 'history',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 0.8 },
  async measure(context) {
    const { resources, profile } = context;
    const { changes } = profile;
    const large = await seedHistory(context, 'large', { guilds: 1_000, changes, firstGuildEvery: SHARE });
    const small = await seedHistory(context, 'small', { guilds: 1_000, changes: SMALL, firstGuildEvery: 1 });
    const discord = resources.use(await startDiscord(large.ids.slice(0, OWNED)));
    const serve = async ({ path }: SeededFile) =>
      resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const [many, few] = [await serve(large), await serve(small)];
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const requests = { caller: 'owners', guilds: { first: 0, count: OWNED }, connections: 64 } as const;
    const send = (name: string, { url, pid }: Server, paths?: readonly string[]): LoadedServer => {
      const load = { ...requests, origin: url, kind: 'read', ...(paths && { paths }) } as const;
      return { name, pids: [pid], measure: (seconds) => sendLoad(task, load, seconds) };
    };
    const measured = await compareThroughput(context, [
      send('ours', many, await partsOf(many, large)),
      send('few changes', few, await partsOf(few, small)),
    ]);
    return {
      ...measured,
      notes: [`a guild with ${short(changes / SHARE)} changes among ${short(changes)}`, ...measured.notes],
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
