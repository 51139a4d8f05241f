import { TokenError } from '@guild-settings/client';
import type { Logger } from 'pino';

const REPEAT_AFTER_MS = 60_000;

/** Kinds of failures that are told apart at a time. */
const MAX_KINDS = 100;

export interface WarnOnceOptions {
  readonly logger: Pick<Logger, 'warn'>;
  readonly message: string;
  /** Returns milliseconds that never decrease; `performance.now` by default. */
  readonly clock?: () => number;
}

/**
 * Returns a function that logs failures of a task that is retried. Repetitions of a failure are logged once a minute, with
 * the number of those left out. A missing token is logged by `tokenHealth` instead.
 */
export function warnOnce({ logger, message, clock = () => performance.now() }: WarnOnceOptions) {
  const kinds = new Map<string, { readonly at: number; leftOut: number }>();
  return (error: unknown, fields: object = {}): void => {
    if (isWithoutToken(error)) return;
    const key = keyOf(error);
    const last = kinds.get(key);
    if (last !== undefined && clock() - last.at < REPEAT_AFTER_MS) {
      last.leftOut += 1;
      return;
    }
    const leftOut = last?.leftOut ?? 0;
    logger.warn({ err: error, ...fields, ...(leftOut > 0 && { leftOut }) }, message);
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(key, { at: clock(), leftOut: 0 });
  };
}

export function isWithoutToken(error: unknown): boolean {
  return error instanceof TokenError || (error instanceof Error && error.cause instanceof TokenError);
}

function keyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return [error.name, code, error.message, cause].join(' ');
}

interface ConnectionLogOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly lost: string;
  readonly back: string;
}

/** Logs the changes of a connection's state: one line when it is lost, however many attempts fail, and one when it is back. */
export interface ConnectionLog {
  /** Records a failure. @returns whether the connection was not lost before */
  failed(error: unknown): boolean;
  recovered(): void;
}

/** Creates the log of one connection, which is not lost yet. A missing token is logged by `tokenHealth` instead. */
export function connectionLog({ logger, lost, back }: ConnectionLogOptions): ConnectionLog {
  let isLost = false;
  return {
    failed(error) {
      if (isLost || isWithoutToken(error)) return false;
      isLost = true;
      logger.warn({ err: error }, lost);
      return true;
    },
    recovered() {
      if (isLost) logger.info(back);
      isLost = false;
    },
  };
}
