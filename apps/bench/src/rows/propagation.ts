import type { BenchContext } from '../context.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { short } from '../report/numbers.ts';
import { measureRounds } from '../rounds.ts';
import type { Measurement, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { median, percentile } from '../statistics.ts';
import type { PropagationJob } from '../tasks/propagation.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 100;

/** Changes per second of load, with one watcher and with many. */
const CHANGES_PER_SECOND = { one: 300, many: 30 };

const PERCENTILE = 0.99;

const POLLS = 50;
const MANY = 100;
const MAX_MS = 60;

/** A change reaches one bot. */
export const propagation: Row = {
  id: 'propagation',
  what: 'p99 from the answer to a PATCH to its being in the replica, 1 watcher',
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(context) {
    const { slowest, polls } = await prepare(context);
    const { ours, peers, notes } = await slowest(1);
    return { ours, peers: { ...peers, 'a 1 s poll': percentile(await polls(), PERCENTILE) }, notes };
  },
};

/** A change reaches many bots. */
export const propagationToMany: Row = {
  id: `propagation-${MANY}`,
  what: `p99 from the answer to a PATCH to its being in every replica, ${MANY} watchers`,
  unit: 'ms',
  goal: { is: 'at most', ratio: MAX_MS },
  async measure(context) {
    const { slowest } = await prepare(context);
    const measured = await slowest(MANY);
    return { ...measured, ratio: measured.ours };
  },
};

/** Takes the percentile of all rounds together: in one round, a single pause of the machine would determine it. */
function slowestOf(delays: Readonly<Record<'ours' | 'listeners', readonly (readonly number[])[]>>): Measurement & {
  readonly notes: readonly string[];
} {
  const [ours, listeners] = [delays.ours.flat(), delays.listeners.flat()];
  return {
    ours: percentile(ours, PERCENTILE),
    peers: { 'empty-event': percentile(listeners, PERCENTILE) },
    notes: [
      `medians: ${short(median(ours) * 1_000)} µs, and ${short(median(listeners) * 1_000)} µs of the empty event`,
    ],
  };
}

/** Starts the servers and returns the measurements. */
async function prepare(context: BenchContext) {
  const { resources, folder } = context;
  const { path, ids } = await seedSqlite(context, 'guilds', GUILDS);
  const discord = resources.use(await startDiscord([]));
  const api = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
  const events = resources.use(await startPeer('empty-event', ''));
  const measure = resources.use(startTask<PropagationJob, number[]>('propagation'));
  const job = {
    folder,
    url: api.url,
    token: TOKENS.application,
    ids,
  };
  const changes = (watchers: number, seconds: number) =>
    Math.ceil(seconds * (watchers === 1 ? CHANGES_PER_SECOND.one : CHANGES_PER_SECOND.many));
  const delaysTo = (to: PropagationJob['to'], watchers: number, url: string) => (seconds: number) =>
    measure({ ...job, to, watchers, changes: changes(watchers, seconds), url });
  return {
    slowest: async (watchers: number) =>
      slowestOf(
        await measureRounds(context, [
          { name: 'ours', measure: delaysTo('replicas', watchers, api.url) },
          { name: 'listeners', measure: delaysTo('listeners', watchers, events.url) },
        ]),
      ),
    polls: () => measure({ ...job, to: 'polls', watchers: POLLS, changes: POLLS }),
  };
}
