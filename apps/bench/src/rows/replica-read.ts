import { alternate } from '../alternate.ts';
import type { Row } from '../row.ts';
import type { ReadJob, ReadRound } from '../tasks/replica-reads.ts';
import { startTask } from '../tasks/task.ts';

/** How many times quicker than the quickest store of a bot's. */
const TIMES = 100;

/** How often each is read in a round: those that ask a database less often. */
const READS: Record<ReadRound['from'], number> = {
  replica: 1_000_000,
  map: 1_000_000,
  enmap: 20_000,
  'quick.db': 10_000,
  keyv: 20_000,
};

/** A command asks for its guild's settings. */
export const replicaRead: Row = {
  id: 'replica-read',
  what: "reading a guild's settings in the bot",
  unit: 'ns',
  goal: { is: 'at most', ratio: 3 },
  also: `>= ${TIMES} x the quickest store`,
  async measure(lab) {
    const { cleanUp, effort, folder } = lab;
    const read = cleanUp.use(startTask<ReadJob, number>('replica-reads'));
    lab.progress('filling the stores');
    await read({ folder, guilds: effort.many });
    const contestants = Object.entries(READS).map(([name, reads]) => {
      const from = name as ReadRound['from'];
      return { name: from, measure: () => read({ from, reads }) };
    });
    const { replica, map, ...stores } = await alternate(lab, contestants);
    const quickest = Math.min(...Object.values(stores));
    return {
      ours: replica,
      peers: { 'Map.get': map, ...stores },
      alsoMet: quickest >= TIMES * replica,
      notes: [
        `${effort.many.toLocaleString('en')} guilds, read in no order`,
        `${Math.round(quickest / replica)} x the quickest store`,
      ],
    };
  },
};
