import { Replica } from '@guild-settings/replica';
import { guildIds } from '../data/guild-ids.ts';
import { filledReplica } from '../data/replica-file.ts';
import type { FillJob } from './fill-replica.ts';
import { handleJobs } from './task.ts';

/** Heap bytes of a replica per guild after all guilds were read. Needs --expose-gc. */
export interface HeapOfReplica {
  /** After it has received all guilds. */
  readonly received: number;
  /** After it was started with a file of all guilds. */
  readonly opened: number;
}

handleJobs<FillJob, HeapOfReplica>(async ({ path, guilds }) => {
  const measure = async (make: () => Promise<Replica>): Promise<number> => {
    const before = heap();
    const replica = await make();
    for (const id of guildIds(guilds)) replica.get(id);
    const after = heap();
    if (replica.metrics.guilds !== guilds)
      throw new Error(`Expected ${guilds} guilds, received ${replica.metrics.guilds}`);
    await replica.close();
    return (after - before) / guilds;
  };
  // Not measured: includes what a process allocates once.
  await measure(() => filledReplica(`${path}.first`, guilds));
  const received = await measure(() => filledReplica(path, guilds));
  const opened = await measure(async () => new Replica({ path, follow: async function* () {} }));
  return { received, opened };
});

function heap(): number {
  if (globalThis.gc === undefined) throw new Error('Expected --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
