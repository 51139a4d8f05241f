/** Milliseconds of this process's processor time that some work takes, on all of its threads. */
export async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The least that some work takes in several tries, in milliseconds of the processor: neither other processes nor a garbage
 * collection count.
 * @param enoughMs no further try is made below this
 */
export async function cheapestOf(tries: number, enoughMs: number, work: () => Promise<unknown>): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let done = 0; done < tries && cheapest >= enoughMs; done += 1) {
    cheapest = Math.min(cheapest, await processorMs(work));
  }
  return cheapest;
}
