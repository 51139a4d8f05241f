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
    const { slowest, polls } = await contest(lab);
    const { ours, peers, notes } = await slowest(1);
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
    const { slowest } = await contest(lab);
    const measured = await slowest(MANY);
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

/** Who takes part, and what it gives. */
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
  const delaysTo = (to: PropagationJob['to'], watchers: number, url: string) => (seconds: number) =>
    measure({ ...job, to, watchers, changes: changes(watchers, seconds), url });
  return {
    slowest: async (watchers: number) =>
      slowestOf(
        await inTurn(lab, [
          { name: 'ours', measure: delaysTo('replicas', watchers, api.url) },
          { name: 'listeners', measure: delaysTo('listeners', watchers, events.url) },
        ]),
      ),
    polls: () => measure({ ...job, to: 'polls', watchers: POLLS, changes: POLLS }),
  };
}
