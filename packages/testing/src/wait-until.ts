import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** The awaited condition, for the error message; the condition's source text unless given. */
  readonly message?: string;
  /** Real milliseconds, also while a test fakes timers; three minutes unless given, for conditions that never hold. */
  readonly timeoutMs?: number;
  /** Between two checks; unless given, 3 ms at first and a tenth of the time that has passed later, up to 50 ms. */
  readonly intervalMs?: number;
}

const MIN_INTERVAL_MS = 3;
const MAX_INTERVAL_MS = 50;

/** A check may be a request: hundreds of them a second would take the CPU time of what is waited for. */
function growingInterval(passedMs: number): number {
  return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, passedMs / 10));
}

/**
 * Polls a condition until it holds.
 * @throws Error when the condition does not hold within the timeout
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { message = String(condition), timeoutMs = 180_000, intervalMs }: WaitOptions = {},
): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    const passedMs = performance.now() - startedAt;
    if (passedMs > timeoutMs) throw new Error(`Expected within ${timeoutMs} ms: ${message}`);
    // Not the global function, which a test may have replaced by a fake.
    await delay(intervalMs ?? growingInterval(passedMs));
  }
}
