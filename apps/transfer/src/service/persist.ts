import { setTimeout as delay } from 'node:timers/promises';
import {
  DeadlineError,
  isGuildSettingsError,
  NetworkError,
  problemOf,
  problemSlugOf,
  TokenError,
  UnexpectedResponseError,
} from '@guild-settings/client';
import { counted } from '@guild-settings/contract';
import { explain } from '../explain-failure.ts';

const MAX_REPETITIONS = 12;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** Problems that pass with time. Importing the same settings twice changes nothing, so an unknown outcome is one of them. */
const TEMPORARY = ['rate-limited', 'discord-unavailable', 'store-unavailable', 'write-unconfirmed'];

/** Thrown when the service could not take some guilds of a call, for a reason that passes. */
export class TemporarilyRefusedError extends Error {
  override readonly name = 'TemporarilyRefusedError';

  constructor(guilds: number) {
    super(`The store of the service is unavailable: ${counted(guilds, 'guild')} could not be imported.`);
  }
}

/** The signal that ends the repetitions of a call, and a callback before each wait. */
export interface PersistOptions {
  readonly signal: AbortSignal;
  readonly onWait: (seconds: number, reason: string) => void;
}

/**
 * Repeats a call that can be repeated safely, while it fails for reasons that pass: after the time that the service requests,
 * or after growing waits.
 * @throws the last error, or the reason of the signal
 */
export async function persist<Result>(
  call: () => Promise<Result>,
  { signal, onWait }: PersistOptions,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      // The client has an error of its own for a call that was aborted.
      signal.throwIfAborted();
      if (failures === MAX_REPETITIONS || !isTemporary(error)) throw error;
      const waitMs = Math.max(requestedMs(error), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));
      onWait(Math.ceil(waitMs / 1_000), explain(error));
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof TemporarilyRefusedError) return true;
  const slug = problemSlugOf(error);
  if (slug !== undefined) return TEMPORARY.includes(slug);
  if (!isGuildSettingsError(error)) return false;
  const { cause } = error;
  if (cause instanceof TokenError) return cause.fault === 'unavailable';
  if (cause instanceof UnexpectedResponseError) return [429, 502, 503, 504].includes(cause.status);
  return cause instanceof NetworkError || cause instanceof DeadlineError;
}

function requestedMs(error: unknown): number {
  const cause = isGuildSettingsError(error) ? error.cause : undefined;
  const requested =
    cause instanceof TokenError || cause instanceof UnexpectedResponseError ? cause.retryAfter : undefined;
  return (problemOf(error)?.retryAfter ?? requested ?? 0) * 1_000;
}
