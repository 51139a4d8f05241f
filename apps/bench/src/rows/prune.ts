import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { SeededFile } from '../data/sqlite-file.ts';
import { seedHistory } from '../data/sqlite-history.ts';
import { startDiscord } from '../data/world.ts';
import { sendLoad } from '../loads.ts';
import { short } from '../report/numbers.ts';
import { compareSeries } from '../rounds.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { median } from '../statistics.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

/** Changes per second of load: few, so that no request waits for another one. */
const CHANGES_PER_SECOND = 300;

/** Requests that are due while all connections are busy wait, and the wait counts. */
const CONNECTIONS = 64;

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
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const serve = async ({ path }: SeededFile) => {
      const api = await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl });
      const { url, program } = resources.use(api);
      const guilds = { first: 0, count: CHANGED };
      const load = { kind: 'change', origin: url, caller: 'application', guilds, connections: CONNECTIONS } as const;
      // One of the two runs at a time: they share a core.
      program.signal('SIGSTOP');
      return async (seconds: number): Promise<LoadReport> => {
        program.signal('SIGCONT');
        await delay(RESUMED_MS);
        const report = await sendLoad(task, { ...load, perSecond: CHANGES_PER_SECOND }, seconds);
        program.signal('SIGSTOP');
        return report;
      };
    };
    const [measureQuiet, measurePruning] = [await serve(quiet), await serve(due)];
    const log = new Database(due.path, { readonly: true });
    resources.use({ [Symbol.dispose]: () => log.close() });
    const oldest = log.prepare<[], number>('SELECT oldest_revision FROM meta').pluck();
    const dueChanges = () => Math.max(0, changes + 1 - (oldest.get() ?? 0));
    await measureQuiet(profile.warmUpSeconds);
    await measurePruning(profile.warmUpSeconds);
    const first = dueChanges();
    const reports = { quiet: [] as LoadReport[], pruning: [] as LoadReport[] };
    for (let round = 1; dueChanges() > 0; round++) {
      if (round > MAX_ROUNDS)
        throw new Error(`Expected all changes to be pruned, ${short(dueChanges())} are still due`);
      progress(`round ${round}, ${short(dueChanges())} changes are due`);
      const [quiet, pruning] = [await measureQuiet(profile.roundSeconds), await measurePruning(profile.roundSeconds)];
      // In the last round, the changes are gone before its end.
      if (dueChanges() === 0) break;
      reports.quiet.push(quiet);
      reports.pruning.push(pruning);
    }
    if (reports.pruning.length === 0) throw new Error('Expected a round with due changes, they were pruned before it');
    const series = (name: keyof typeof reports, of: (report: LoadReport) => number) => ({
      name,
      values: reports[name].map(of),
    });
    const middle = (name: keyof typeof reports) =>
      short(median(series(name, ({ medianMs }) => medianMs).values) * 1_000);
    return {
      ...compareSeries(
        series('pruning', ({ p99Ms }) => p99Ms),
        [series('quiet', ({ p99Ms }) => p99Ms)],
      ),
      notes: [
        `${short(CHANGES_PER_SECOND)} PATCHes a second; ${short(first)} changes of ${short(guilds)} guilds are pruned meanwhile`,
        `medians: ${middle('pruning')} µs, and ${middle('quiet')} µs`,
      ],
    };
  },
};
