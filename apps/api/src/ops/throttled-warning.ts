import type { FastifyBaseLogger } from 'fastify';

const REPEAT_AFTER_MS = 60_000;

interface ThrottledWarningOptions {
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly message: string;
  readonly monotonicMs: () => number;
}

/**
 * Returns a function that logs failures of one kind of work. Each kind of failure is logged at most once a minute, with the
 * number of those that were left out since.
 */
export function throttledWarning({ log, message, monotonicMs }: ThrottledWarningOptions) {
  const kinds = new Map<string, { readonly loggedAtMs: number; leftOut: number }>();
  return (kind: string, error: unknown): void => {
    const last = kinds.get(kind);
    if (last !== undefined && monotonicMs() - last.loggedAtMs < REPEAT_AFTER_MS) {
      last.leftOut += 1;
      return;
    }
    log.warn({ err: error, ...(last && last.leftOut > 0 && { leftOut: last.leftOut }) }, message);
    kinds.set(kind, { loggedAtMs: monotonicMs(), leftOut: 0 });
  };
}
