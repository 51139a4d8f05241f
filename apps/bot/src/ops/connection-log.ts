import type { Logger } from 'pino';
import { isWithoutToken } from './warn-once.ts';

interface ConnectionLogOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Message when the connection is lost. */
  readonly lost: string;
  /** Message when it is there again. */
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
