import { problemOf } from '@guild-settings/client';

const MAX_TRIES = 10;

/**
 * Repeats a call whose connection failed: after a restart, the first calls may use kept-alive connections that are
 * closed. For idempotent calls.
 */
export async function retryConnection<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === MAX_TRIES || problemOf(error) !== undefined) throw error;
    }
  }
}
