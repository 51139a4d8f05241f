import { seedSqlite } from '../data/sqlite-file.ts';
import { TOKENS } from '../data/world.ts';
import { short } from '../report/report.ts';
import { measureRounds } from '../rounds.ts';
import type { Row } from '../row.ts';
import { serveFile } from '../servers/api.ts';
import { startPeer } from '../servers/server.ts';
import { median, percentile } from '../statistics.ts';
import type { PropagationJob } from '../tasks/propagation.ts';
import { startTask } from '../tasks/task.ts';

const CHANGES_PER_SECOND = 300;

/** From the response to a PATCH until a replica returns the change, at the 99th percentile. */
export const propagation: Row = {
  id: 'propagation',
  figure: 'A change is in the memory of a bot, 99 times of 100 within',
  unit: 'ms',
  goal: { is: 'at most', ratio: 3 },
  async measure(context) {
    const { resources, folder } = context;
    const { path, ids } = await seedSqlite(context, 'guilds', 100);
    const api = await serveFile(context, path);
    const events = resources.use(await startPeer('empty-event', ''));
    const measure = resources.use(startTask<PropagationJob, number[]>('propagation'));
    const delaysTo = (to: PropagationJob['to'], url: string) => (seconds: number) =>
      measure({ to, url, folder, token: TOKENS.application, ids, changes: Math.ceil(seconds * CHANGES_PER_SECOND) });
    const found = await measureRounds(context, [
      { name: 'ours', measure: delaysTo('replica', api.url) },
      { name: 'empty-event', measure: delaysTo('listener', events.url) },
    ]);
    // All rounds together: in one round, a single pause of the machine would determine the percentile.
    const [ours = [], empty = []] = found.map(({ values }) => values.flat());
    return {
      ours: percentile(ours, 0.99),
      peers: { 'empty-event': percentile(empty, 0.99) },
      notes: [`medians: ${short(median(ours) * 1_000)} µs, and ${short(median(empty) * 1_000)} µs of the empty event`],
    };
  },
};
