import { TokenError } from '@guild-settings/client';
import type { Logger } from 'pino';

/** How long repetitions of one failure are left out of the log, in milliseconds. */
const REPEAT_AFTER_MS = 60_000;

export interface WarnOnceOptions {
  readonly logger: Logger;
  readonly message: string;
  /** Milliseconds that only grow; `performance.now` unless given. */
  readonly clock?: () => number;
}

/**
 * Returns a function that logs failures of something that is tried again and again. A failure like the last one is logged
 * once a minute, with the number of those left out. A missing token is not logged here: the token source's owner does that.
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

/** What makes two failures alike. */
function keyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return [error.name, code, error.message, cause].join(' ');
}
