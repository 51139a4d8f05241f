import { handleJobs } from './task.ts';

/** Returns the resident memory of the process in bytes, without garbage. Loaded with a server by `--import`, with `--expose-gc`. */
handleJobs<object, number>(async () => {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('Expected Node with --expose-gc');
  // Finalizers of one collection leave garbage to the next.
  for (let round = 0; round < 3; round++) await gc({ execution: 'async' });
  return process.memoryUsage.rss();
});
