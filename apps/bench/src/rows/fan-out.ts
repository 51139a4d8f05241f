import { seedSqlite } from '../data/sqlite-file.ts';
import { short } from '../report/report.ts';
import { compareSeries, measureRounds, rangeOf } from '../rounds.ts';
import type { Row } from '../row.ts';
import { serveFile } from '../servers/api.ts';
import { type Server, startPeer } from '../servers/server.ts';
import { cpuMilliseconds } from '../servers/usage.ts';
import type { FanOutJob } from '../tasks/fan-out.ts';
import { startTask } from '../tasks/task.ts';

const WATCHERS = 1_000;

/** CPU time of the server for each event and watcher. Every watcher has received a change before the next one is made. */
export const fanOut: Row = {
  id: 'fanout-1000',
  unit: 'µs',
  goal: { is: 'at most', ratio: 20 },
  async measure(context) {
    const { resources, progress } = context;
    // Few, so that a watch begins with few records.
    const { path } = await seedSqlite(context, 'guilds', 10);
    const api = await serveFile(context, path);
    const loop = resources.use(await startPeer('socket-loop', ''));
    progress(`opening ${WATCHERS} watchers of each server`);
    const candidate = (name: string, { url, pid }: Server) => {
      const makeChanges = resources.use(startTask<FanOutJob, number>('fan-out'));
      const measure = async (seconds: number) => {
        const before = await cpuMilliseconds([pid]);
        const changes = await makeChanges({ origin: url, watchers: WATCHERS, seconds });
        return (((await cpuMilliseconds([pid])) - before) * 1_000) / (changes * WATCHERS);
      };
      return { name, measure };
    };
    const series = await measureRounds(context, [candidate('ours', api), candidate('socket-loop', loop)]);
    const compared = compareSeries(series);
    return {
      ...compared,
      // The goal applies to the time itself.
      ratio: compared.ours,
      spread: rangeOf(series[0]?.values ?? []),
      notes: [`${short(compared.ratio)} x the socket loop`],
    };
  },
};
