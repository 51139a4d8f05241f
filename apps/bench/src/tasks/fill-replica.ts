import { filledReplica } from '../data/replica-file.ts';
import { answerJobs } from './task.ts';

/** Makes a bot's file with so many guilds. */
export interface FillJob {
  readonly path: string;
  readonly guilds: number;
}

answerJobs<FillJob, number>(async ({ path, guilds }) => {
  const replica = await filledReplica(path, guilds);
  await replica.close();
  return replica.metrics.guilds;
});
