import { Replica } from '@guild-settings/replica';
import { guildIds } from '../data/guild-ids.ts';
import { filledReplica } from '../data/replica-file.ts';
import type { FillJob } from './fill-replica.ts';
import { answerJobs } from './task.ts';

/** Bytes of heap that a replica holds for each guild, once all of them have been read. Needs --expose-gc. */
export interface HeapOfReplica {
  /** After it was told of all the guilds. */
  readonly told: number;
  /** After it was started with a file of them. */
  readonly opened: number;
}

answerJobs<FillJob, HeapOfReplica>(async ({ path, guilds }) => {
  const measure = async (make: () => Promise<Replica>): Promise<number> => {
    const before = heap();
    const replica = await make();
    for (const id of guildIds(guilds)) replica.get(id);
    const after = heap();
    if (replica.metrics.guilds !== guilds) throw new Error(`it holds ${replica.metrics.guilds} guilds`);
    await replica.close();
    return (after - before) / guilds;
  };
  // The first one does not count: what is made once in a process is made for it.
  await measure(() => filledReplica(`${path}.first`, guilds));
  const told = await measure(() => filledReplica(path, guilds));
  const opened = await measure(async () => new Replica({ path, follow: async function* () {} }));
  return { told, opened };
});

function heap(): number {
  if (globalThis.gc === undefined) throw new Error('started without --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
