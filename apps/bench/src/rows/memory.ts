import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import type { FillJob } from '../tasks/fill-replica.ts';
import type { IdleJob } from '../tasks/idle-watchers.ts';
import type { HeapOfReplica } from '../tasks/replica-heap.ts';
import { startTask } from '../tasks/task.ts';

const WATCHERS = 1_000;

/** Guilds that each watcher has received. */
const GUILDS = 100;

/** Idle time before the memory is read: one bookmark to each watcher. */
const IDLE_MS = 6_000;

/** Memory of the bot. */
export const memoryOfBot: Row = {
  id: 'memory-bot',
  what: "the bot's heap for each guild",
  unit: 'bytes',
  goal: { is: 'at most', ratio: 1_024 },
  async measure({ resources, profile, folder, progress }) {
    const measure = resources.use(startTask<FillJob, HeapOfReplica>('replica-heap', { execArgv: ['--expose-gc'] }));
    progress(`holding ${profile.manyGuilds.toLocaleString('en')} guilds`);
    const { received, opened } = await measure({ path: join(folder, 'bot.db'), guilds: profile.manyGuilds });
    const ours = Math.max(received, opened);
    return {
      ours,
      peers: {},
      ratio: ours,
      notes: [
        `${profile.manyGuilds.toLocaleString('en')} guilds, all of them read`,
        `${Math.round(received)} bytes as received from the service, ${Math.round(opened)} as read from the file`,
      ],
    };
  },
};

/** Memory of the api. */
export const memoryOfApi: Row = {
  id: 'memory-api',
  what: `the api's resident memory with ${WATCHERS.toLocaleString('en')} idle watchers`,
  unit: 'MB',
  goal: { is: 'at most', ratio: 150 },
  async measure(context) {
    const { resources, progress } = context;
    const file = await seedSqlite(context, 'guilds', GUILDS);
    const discord = resources.use(await startDiscord([]));
    const api = resources.use(await startApi({ databaseUrl: `file:${file.path}`, discordUrl: discord.apiUrl }));
    const alone = await residentMegabytes(api.program.pid);
    const watch = resources.use(startTask<IdleJob, number>('idle-watchers'));
    progress(`opening ${WATCHERS} watches`);
    await watch({ url: api.url, token: TOKENS.application, watchers: WATCHERS });
    await delay(IDLE_MS);
    const ours = await residentMegabytes(api.program.pid);
    return { ours, peers: {}, ratio: ours, notes: [`${Math.round(alone)} MB without watchers`] };
  },
};

/** @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}
