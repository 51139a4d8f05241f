import { expectText, openWatchers } from './fan-out-watchers.ts';
import { openPublisher } from './publishers.ts';
import { handleJobs } from './task.ts';

/** Changes that watchers receive, one after another: the next one is sent when all watchers have received the last. */
export interface FanOutJob {
  readonly from: 'service' | 'socket-loop' | 'redis';
  readonly origin: string;
  /** Opened by the first job, and used by all. */
  readonly watchers: number;
  readonly seconds: number;
}

/** Milliseconds of each change, from its request. */
export interface FanOutReport {
  /** Until the response. */
  readonly responses: readonly number[];
  /** Until the last watcher has received it. */
  readonly lasts: readonly number[];
}

/** Changes of a round that is shorter. */
const MIN_CHANGES = 3;

let isOpen = false;
let changes = 0;

handleJobs<FanOutJob, FanOutReport>(async (job) => {
  if (!isOpen) await openWatchers(job);
  isOpen = true;
  using publisher = await openPublisher(job);
  const report = { responses: [] as number[], lasts: [] as number[] };
  const until = performance.now() + job.seconds * 1_000;
  while (performance.now() < until || report.lasts.length < MIN_CHANGES) {
    changes += 1;
    const value = `${process.pid}-${changes}.`;
    const received = expectText(value, job.watchers);
    const sent = performance.now();
    const responded = publisher.publish(value).then(() => report.responses.push(performance.now() - sent));
    await Promise.all([received.then(() => report.lasts.push(performance.now() - sent)), responded]);
  }
  return report;
});
