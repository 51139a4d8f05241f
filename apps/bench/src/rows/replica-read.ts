import { measurePeers } from '../rounds.ts';
import type { Row } from '../row.ts';
import type { ReadJob, ReadRound } from '../tasks/replica-reads.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 2_500;

const MIN_SPEED_UP = 100;

/** Reads per round: fewer for the stores that query a database. */
const READS: Record<ReadRound['from'], number> = {
  replica: 1_000_000,
  map: 1_000_000,
  enmap: 20_000,
  'quick.db': 10_000,
  keyv: 20_000,
};

/** A command reads the settings of its guild, in a bot of one full shard. */
export const replicaRead: Row = {
  id: 'replica-read',
  figure: 'A bot reads the settings of a guild in',
  unit: 'ns',
  goal: { is: 'at most', ratio: 3 },
  also: `>= ${MIN_SPEED_UP} x the fastest store`,
  async measure(context) {
    const { resources, folder } = context;
    const read = resources.use(startTask<ReadJob, number>('replica-reads'));
    context.progress('filling the stores');
    await read({ folder, guilds: GUILDS });
    const candidates = Object.entries(READS).map(([name, reads]) => {
      const from = name as ReadRound['from'];
      return { name: from === 'map' ? 'Map.get' : from, measure: () => read({ from, reads }) };
    });
    const measured = await measurePeers(context, candidates);
    const { 'Map.get': _, ...stores } = measured.ratios;
    const speedUp = 1 / Math.max(...Object.values(stores));
    return {
      ...measured,
      also: { found: `${Math.round(speedUp)} x`, isMet: speedUp >= MIN_SPEED_UP },
      notes: [`${GUILDS.toLocaleString('en')} guilds, read in random order`],
    };
  },
};
