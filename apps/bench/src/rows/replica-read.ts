import { alternate } from '../alternate.ts';
import type { Lab } from '../lab.ts';
import type { Measured, Row } from '../row.ts';
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

/** The most guilds that Discord gives one shard. */
const SHARD = 2_500;

/** A command asks for its guild's settings, in a bot of one full shard. */
export const replicaRead: Row = {
  id: 'replica-read',
  what: "reading a guild's settings in the bot of a full shard",
  ...goal(),
  measure: (lab) => measureReads(lab, SHARD),
};

/** The same in a bot of so many guilds that the processor's caches hold next to none of them. */
export const replicaReadOfMany: Row = {
  id: 'replica-read-many',
  what: "reading a guild's settings in the bot of a great many guilds",
  ...goal(),
  measure: (lab) => measureReads(lab, lab.effort.many),
};

function goal() {
  return { unit: 'ns', goal: { is: 'at most', ratio: 3 }, also: `>= ${TIMES} x the quickest store` } as const;
}

async function measureReads(lab: Lab, guilds: number): Promise<Measured> {
  const { cleanUp, folder } = lab;
  const read = cleanUp.use(startTask<ReadJob, number>('replica-reads'));
  lab.progress('filling the stores');
  await read({ folder, guilds });
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
      `${guilds.toLocaleString('en')} guilds, read in no order`,
      `${Math.round(quickest / replica)} x the quickest store, a Map.get alone ${Math.round(quickest / map)} x`,
    ],
  };
}
