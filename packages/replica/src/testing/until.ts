import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition that something else brings about. `within`: real milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>, within = 15_000): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`did not come true within ${within} ms: ${condition}`);
    // Not the global one, which some tests hold.
    await delay(2);
  }
}
