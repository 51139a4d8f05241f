import { inTurn } from '../alternate.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { Lab } from '../lab.ts';
import { short } from '../report/numbers.ts';
import type { Measured, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { median, percentile } from '../statistics.ts';
import type { PropagationJob } from '../tasks/propagation.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 100;

/** How many changes are made for a second of load, with one watcher and with many. */
const CHANGES = { one: 300, many: 30 };

/** What the slowest hundredth stay above. */
const SHARE = 0.99;

const POLLS = 50;
const MANY = 100;
const LONGEST = 60;

/** A change reaches a bot. */
export const propagation: Row = {
  id: 'propagation',
  what: 'p99 from the answer to a PATCH to its being in the replica, 1 watcher',
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(lab) {
    const { replicas, listeners, polls } = await contest(lab);
    const delays = await inTurn(lab, [
      { name: 'ours', measure: (seconds) => replicas(1, seconds) },
      { name: 'listeners', measure: (seconds) => listeners(1, seconds) },
    ]);
    const { ours, peers, notes } = slowestOf(delays);
    return { ours, peers: { ...peers, 'a 1 s poll': percentile(await polls(), SHARE) }, notes };
  },
};

/** A change reaches many bots. */
export const propagationToMany: Row = {
  id: `propagation-${MANY}`,
  what: `p99 from the answer to a PATCH to its being in every replica, ${MANY} watchers`,
  unit: 'ms',
  goal: { is: 'at most', ratio: LONGEST },
  async measure(lab) {
    const { replicas, listeners } = await contest(lab);
    const delays = await inTurn(lab, [
      { name: 'ours', measure: (seconds) => replicas(MANY, seconds) },
      { name: 'listeners', measure: (seconds) => listeners(MANY, seconds) },
    ]);
    const measured = slowestOf(delays);
    return { ...measured, ratio: measured.ours };
  },
};

/** Of all rounds together: of one round alone, a single pause of the machine would be its slowest hundredth. */
function slowestOf(delays: Readonly<Record<'ours' | 'listeners', readonly (readonly number[])[]>>): Measured & {
  readonly notes: readonly string[];
} {
  const [ours, listeners] = [delays.ours.flat(), delays.listeners.flat()];
  return {
    ours: percentile(ours, SHARE),
    peers: { 'empty-event': percentile(listeners, SHARE) },
    notes: [
      `medians: ${short(median(ours) * 1_000)} µs, and ${short(median(listeners) * 1_000)} µs of the empty event`,
    ],
  };
}

/** Who takes part. Each gives the delays of a round, in milliseconds. */
async function contest(lab: Lab) {
  const { cleanUp, folder } = lab;
  const { path, ids } = await seedSqlite(lab, 'guilds', GUILDS);
  const discord = cleanUp.use(await startDiscord([]));
  const api = cleanUp.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
  const events = cleanUp.use(await startPeer('empty-event', ''));
  const measure = cleanUp.use(startTask<PropagationJob, number[]>('propagation'));
  const job = {
    folder,
    url: api.url,
    token: TOKENS.application,
    ids,
  };
  const changes = (watchers: number, seconds: number) =>
    Math.ceil(seconds * (watchers === 1 ? CHANGES.one : CHANGES.many));
  return {
    replicas: (watchers: number, seconds: number) =>
      measure({ ...job, to: 'replicas', watchers, changes: changes(watchers, seconds) }),
    listeners: (watchers: number, seconds: number) =>
      measure({ ...job, to: 'listeners', watchers, changes: changes(watchers, seconds), url: events.url }),
    polls: () => measure({ ...job, to: 'polls', watchers: POLLS, changes: POLLS }),
  };
}
