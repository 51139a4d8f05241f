import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** What is waited for, for the error message; the condition's source text unless given. */
  readonly message?: string;
  /** Real milliseconds, also while a test fakes timers; a minute unless given, for conditions that never hold. */
  readonly timeoutMs?: number;
  /** Between two checks; 3 ms unless given. */
  readonly intervalMs?: number;
}

/**
 * Polls a condition until it holds.
 * @throws Error when the condition does not hold within the timeout
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { message = String(condition), timeoutMs = 60_000, intervalMs = 3 }: WaitOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Expected within ${timeoutMs} ms: ${message}`);
    // Not the global function, which a test may have replaced by a fake.
    await delay(intervalMs);
  }
}
