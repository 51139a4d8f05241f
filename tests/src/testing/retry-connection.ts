import { problemOf } from '@guild-settings/client';

/** Dead connections that may be met in a row. */
const TRIES = 10;

/**
 * Makes a call again when its connection broke: after a restart the first calls may meet connections that were kept alive
 * and have just been closed. For calls that do the same however often they are made.
 */
export async function retryConnection<T>(call: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await call();
    } catch (error) {
      if (turn === TRIES || problemOf(error) !== undefined) throw error;
    }
  }
}
