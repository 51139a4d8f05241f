/** Measures the CPU time that this process spends on some work, in milliseconds, on all of its threads. */
export async function cpuTimeMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Measures the least CPU time of several tries, in milliseconds: neither other processes nor a garbage collection count.
 * @param enoughMs stops as soon as a try takes less than this
 */
export async function minCpuTimeMs(tries: number, enoughMs: number, work: () => Promise<unknown>): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let done = 0; done < tries && min >= enoughMs; done += 1) min = Math.min(min, await cpuTimeMs(work));
  return min;
}
