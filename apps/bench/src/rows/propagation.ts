import { alternate } from '../alternate.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import type { Lab } from '../lab.ts';
import type { Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { startPeer } from '../servers/peers.ts';
import { percentile } from '../statistics.ts';
import type { PropagationJob } from '../tasks/propagation.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 100;

/** How many changes are made for a second of load, with one watcher and with many. */
const CHANGES = { one: 100, many: 30 };

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
    const found = await alternate(lab, [
      { name: 'ours', measure: () => replicas(1) },
      { name: 'empty-event', measure: () => listeners(1) },
    ]);
    return { ours: found.ours, peers: { 'empty-event': found['empty-event'], 'a 1 s poll': await polls() } };
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
    const found = await alternate(lab, [
      { name: 'ours', measure: () => replicas(MANY) },
      { name: 'empty-event', measure: () => listeners(MANY) },
    ]);
    return { ours: found.ours, peers: { 'empty-event': found['empty-event'] }, ratio: found.ours };
  },
};

/** Who takes part. Each gives the p99 of a round, in milliseconds. */
async function contest(lab: Lab) {
  const { cleanUp, effort, folder } = lab;
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
  const p99 = async (asked: Omit<PropagationJob, 'changes'>) => {
    const changes = Math.ceil(effort.seconds * (asked.watchers === 1 ? CHANGES.one : CHANGES.many));
    return percentile(await measure({ ...asked, changes }), 0.99);
  };
  return {
    replicas: (watchers: number) => p99({ ...job, to: 'replicas', watchers }),
    listeners: (watchers: number) => p99({ ...job, to: 'listeners', watchers, url: events.url }),
    polls: () => p99({ ...job, to: 'polls', watchers: POLLS }),
  };
}
