import { filledReplica } from '../data/replica-file.ts';
import { handleJobs } from './task.ts';

/** Creates a bot's file with some number of guilds. */
export interface FillJob {
  readonly path: string;
  readonly guilds: number;
}

handleJobs<FillJob, number>(async ({ path, guilds }) => {
  const replica = await filledReplica(path, guilds);
  await replica.close();
  return replica.metrics.guilds;
});
