/** Measures the CPU time that this process spends on some work, in milliseconds, on all of its threads. */
async function cpuTimeMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Measures the least CPU time of several tries, in milliseconds: neither other processes nor a garbage collection count.
 * @param enoughMs stops as soon as a try takes less than this
 */
export function minCpuTimeMs(tries: number, enoughMs: number, work: () => Promise<unknown>): Promise<number> {
  return minOf(tries, enoughMs, () => cpuTimeMs(work));
}

/**
 * Measures the least time of several tries of some work that waits for something, in milliseconds. A machine that is slow or
 * busy for some of the tries does not count.
 * @param enoughMs stops as soon as a try takes less than this
 */
export function minTimeMs(
  tries: number,
  enoughMs: number,
  work: (attempt: number) => Promise<unknown>,
): Promise<number> {
  return minOf(tries, enoughMs, async (attempt) => {
    const startedAt = performance.now();
    await work(attempt);
    return performance.now() - startedAt;
  });
}

async function minOf(tries: number, enoughMs: number, measure: (attempt: number) => Promise<number>): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && min >= enoughMs; attempt += 1) min = Math.min(min, await measure(attempt));
  return min;
}
