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

/** Guilds that each watcher of the api has been told of. */
const GUILDS = 100;

/** Milliseconds that the api is left alone in before its memory is read: one bookmark to each watcher. */
const IDLE = 6_000;

/** What a guild costs a bot. */
export const memoryOfBot: Row = {
  id: 'memory-bot',
  what: "the bot's heap for each guild",
  unit: 'bytes',
  goal: { is: 'at most', ratio: 1_024 },
  async measure({ cleanUp, effort, folder, progress }) {
    const measure = cleanUp.use(startTask<FillJob, HeapOfReplica>('replica-heap', { execArgv: ['--expose-gc'] }));
    progress(`holding ${effort.many.toLocaleString('en')} guilds`);
    const { told, opened } = await measure({ path: join(folder, 'bot.db'), guilds: effort.many });
    const ours = Math.max(told, opened);
    return {
      ours,
      peers: {},
      ratio: ours,
      notes: [
        `${effort.many.toLocaleString('en')} guilds, all of them read`,
        `${Math.round(told)} bytes as told by the service, ${Math.round(opened)} as read from the file`,
      ],
    };
  },
};

/** What watchers cost the api. */
export const memoryOfApi: Row = {
  id: 'memory-api',
  what: `the api's resident memory with ${WATCHERS.toLocaleString('en')} idle watchers`,
  unit: 'MB',
  goal: { is: 'at most', ratio: 150 },
  async measure(lab) {
    const { cleanUp, progress } = lab;
    const file = await seedSqlite(lab, 'guilds', GUILDS);
    const discord = cleanUp.use(await startDiscord([]));
    const api = cleanUp.use(await startApi({ databaseUrl: `file:${file.path}`, discordUrl: discord.apiUrl }));
    const alone = await residentMegabytes(api.program.pid);
    const watch = cleanUp.use(startTask<IdleJob, number>('idle-watchers'));
    progress(`opening ${WATCHERS} watches`);
    await watch({ url: api.url, token: TOKENS.application, watchers: WATCHERS });
    await delay(IDLE);
    const ours = await residentMegabytes(api.program.pid);
    return { ours, peers: {}, ratio: ours, notes: [`${Math.round(alone)} MB before the first watcher came`] };
  },
};

/** @see https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}
