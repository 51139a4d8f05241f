import { setTimeout as delay } from 'node:timers/promises';

const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 5_000;

interface WaitOptions {
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** Resolves when Discord answers at all, or the signal is aborted. Prints once that it does not, and once that it does again. */
export async function waitForDiscord(apiUrl: string, { signal, print }: WaitOptions): Promise<void> {
  let isMissing = false;
  while (!signal.aborted) {
    try {
      await fetch(`${apiUrl}/gateway`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (isMissing) print('Discord answers.');
      return;
    } catch (error) {
      if (!isMissing)
        print(`Discord does not answer at ${apiUrl}: ${causeOf(error)}. Waiting for it; stop with Ctrl-C.`);
      isMissing = true;
      await delay(INTERVAL_MS, undefined, { signal }).catch(() => {});
    }
  }
}

function causeOf(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
