import type { BenchContext } from '../context.ts';
import { measurePeers } from '../rounds.ts';
import type { Measurement, Row } from '../row.ts';
import type { ReadJob, ReadRound } from '../tasks/replica-reads.ts';
import { startTask } from '../tasks/task.ts';

/** Required speed-up over the fastest other store. */
const MIN_SPEED_UP = 100;

/** Reads per round: fewer for the stores that query a database. */
const READS: Record<ReadRound['from'], number> = {
  replica: 1_000_000,
  map: 1_000_000,
  enmap: 20_000,
  'quick.db': 10_000,
  keyv: 20_000,
};

/** Discord's maximum of guilds in one shard. */
const MAX_SHARD_GUILDS = 2_500;

/** A command reads its guild's settings, in a bot of one full shard. */
export const replicaRead: Row = {
  id: 'replica-read',
  what: "reading a guild's settings in the bot of a full shard",
  ...goal(),
  measure: (context) => measureReads(context, MAX_SHARD_GUILDS),
};

/** A command reads its guild's settings, in a bot of more guilds than fit into the CPU's caches. */
export const replicaReadOfMany: Row = {
  id: 'replica-read-many',
  what: "reading a guild's settings in the bot of a great many guilds",
  ...goal(),
  measure: (context) => measureReads(context, context.profile.manyGuilds),
};

function goal() {
  return { unit: 'ns', goal: { is: 'at most', ratio: 3 }, also: `>= ${MIN_SPEED_UP} x the fastest store` } as const;
}

async function measureReads(context: BenchContext, guilds: number): Promise<Measurement> {
  const { resources, folder } = context;
  const read = resources.use(startTask<ReadJob, number>('replica-reads'));
  context.progress('filling the stores');
  await read({ folder, guilds });
  const candidates = Object.entries(READS).map(([name, reads]) => {
    const from = name as ReadRound['from'];
    return { name: from === 'map' ? 'Map.get' : from, measure: () => read({ from, reads }) };
  });
  const measured = await measurePeers(context, candidates);
  const {
    ours: replica,
    peers: { 'Map.get': map = Number.NaN, ...stores },
  } = measured;
  const fastest = Math.min(...Object.values(stores));
  return {
    ...measured,
    alsoMet: fastest >= MIN_SPEED_UP * replica,
    notes: [
      `${guilds.toLocaleString('en')} guilds, read in random order`,
      `${Math.round(fastest / replica)} x the fastest store, a Map.get alone ${Math.round(fastest / map)} x`,
    ],
  };
}
