import { TokenError } from '@guild-settings/client';
import type { Logger } from 'pino';

/** Time in which repetitions of a failure are not logged. */
const REPEAT_AFTER_MS = 60_000;

export interface WarnOnceOptions {
  readonly logger: Logger;
  readonly message: string;
  /** Returns milliseconds that never decrease; `performance.now` by default. */
  readonly clock?: () => number;
}

/**
 * Returns a function that logs failures of a task that is retried. A repetition of the last failure is logged once a minute,
 * with the number of those left out. A missing token is logged by `tokenHealth` instead.
 */
export function warnOnce({ logger, message, clock = () => performance.now() }: WarnOnceOptions) {
  let last: { readonly key: string; readonly at: number } | undefined;
  let leftOut = 0;
  return (error: unknown): void => {
    if (isWithoutToken(error)) return;
    const key = keyOf(error);
    if (last?.key === key && clock() - last.at < REPEAT_AFTER_MS) {
      leftOut += 1;
      return;
    }
    logger.warn({ err: error, ...(leftOut > 0 && { leftOut }) }, message);
    last = { key, at: clock() };
    leftOut = 0;
  };
}

function isWithoutToken(error: unknown): boolean {
  return error instanceof TokenError || (error instanceof Error && error.cause instanceof TokenError);
}

/** Returns a key that is the same for repetitions of a failure. */
function keyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return [error.name, code, error.message, cause].join(' ');
}
