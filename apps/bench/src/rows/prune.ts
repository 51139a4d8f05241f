import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { SeededFile } from '../data/sqlite-file.ts';
import { seedHistory } from '../data/sqlite-history.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { short } from '../report/numbers.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { median, percentile } from '../statistics.ts';
import type { LatencyJob } from '../tasks/change-latencies.ts';
import { startTask } from '../tasks/task.ts';

const PERCENTILE = 0.99;

/** Changes per second of load: few, so that no request waits for another one. */
const CHANGES_PER_SECOND = 300;

/** Guilds that are changed. */
const CHANGED = 1_000;

/** Age of the changes that are due: more than the 90 days for which changes are kept. */
const DUE_MS = 100 * 24 * 60 * 60 * 1_000;

/** Time after a stopped process continues until it is measured. */
const RESUMED_MS = 250;

/** Rounds until the changes must be gone. */
const MAX_ROUNDS = 100;

/** Retention beside changes. */
export const prune: Row = {
  id: 'prune',
  what: 'p99 of a PATCH while a great many changes are pruned, beside that of a process without any due',
  unit: 'ms',
  goal: { is: 'at most', ratio: 2 },
  async measure(context) {
    const { resources, profile, progress } = context;
    const { manyGuilds: guilds, maxGuilds: changes } = profile;
    const shape = { guilds, changes, firstGuildEvery: 0 };
    const quiet = await seedHistory(context, 'quiet', { ...shape, at: Date.now() });
    const due = await seedHistory(context, 'due', { ...shape, at: Date.now() - DUE_MS });
    const discord = resources.use(await startDiscord([]));
    const latenciesOf = resources.use(startTask<LatencyJob, number[]>('change-latencies'));
    const serve = async ({ path, ids }: SeededFile) => {
      const api = await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl });
      const { url, program } = resources.use(api);
      const job = { origin: url, token: TOKENS.application, perSecond: CHANGES_PER_SECOND, ids: ids.slice(0, CHANGED) };
      // One of the two runs at a time: they share a core.
      program.signal('SIGSTOP');
      return async (seconds: number): Promise<number[]> => {
        program.signal('SIGCONT');
        await delay(RESUMED_MS);
        const measured = await latenciesOf({ ...job, seconds });
        program.signal('SIGSTOP');
        return measured;
      };
    };
    const [measureQuiet, measurePruning] = [await serve(quiet), await serve(due)];
    const log = new Database(due.path, { readonly: true });
    resources.use({ [Symbol.dispose]: () => log.close() });
    const oldest = log.prepare<[], number>('SELECT oldest_revision FROM meta').pluck();
    const dueChanges = () => Math.max(0, changes + 1 - (oldest.get() ?? 0));
    await measureQuiet(profile.warmUpSeconds);
    await measurePruning(profile.warmUpSeconds);
    const [first, latencies] = [dueChanges(), { quiet: [] as number[], pruning: [] as number[] }];
    for (let round = 1; dueChanges() > 0; round++) {
      if (round > MAX_ROUNDS)
        throw new Error(`Expected all changes to be pruned, ${short(dueChanges())} are still due`);
      progress(`round ${round}, ${short(dueChanges())} changes are due`);
      latencies.quiet.push(...(await measureQuiet(profile.roundSeconds)));
      const measured = await measurePruning(profile.roundSeconds);
      // In the last round, the changes are gone before its end.
      if (dueChanges() > 0) latencies.pruning.push(...measured);
    }
    if (latencies.pruning.length === 0)
      throw new Error('Expected a round with due changes, they were pruned before it');
    return {
      ours: percentile(latencies.pruning, PERCENTILE),
      peers: { quiet: percentile(latencies.quiet, PERCENTILE) },
      notes: [
        `${short(CHANGES_PER_SECOND)} PATCHes a second; ${short(first)} changes of ${short(guilds)} guilds are pruned meanwhile`,
        `medians: ${short(median(latencies.pruning) * 1_000)} µs, and ${short(median(latencies.quiet) * 1_000)} µs`,
      ],
    };
  },
};
