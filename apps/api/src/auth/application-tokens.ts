import type { Snowflake } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { TokenCheckRow, TokenCheckStore } from '../store/store.ts';

/** Time for which the rows that were read are reused: requests with unknown tokens must not cause more reads. */
const READ_INTERVAL_MS = 1_000;

/** Stored check of an accepted token. Times are monotonic, in milliseconds. */
export interface RecalledCheck {
  readonly checkedAtMs: number;
  readonly expiresAtMs: number;
  readonly expiresAt: number;
}

/**
 * Checks of the application's tokens, stored in the database under the tokens' hashes by every process. A process that
 * starts while Discord is unavailable can serve the bots that were connected before. Users' tokens are not stored.
 */
export interface ApplicationTokens {
  /** Stores that a token was accepted now. Never rejects: a check that is not stored is made again. */
  keep(tokenHash: string, expiresAtMs: number): Promise<void>;
  /** Deletes the check of a token that was revoked, if there is one. Never rejects. */
  forget(tokenHash: string): Promise<void>;
  /** Returns the last check of a token; undefined: none, or the clock was set back behind it. Never rejects. */
  recall(tokenHash: string): Promise<RecalledCheck | undefined>;
}

interface ApplicationTokensOptions {
  readonly applicationId: Snowflake;
  readonly store: TokenCheckStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export function applicationTokens({
  applicationId,
  store,
  clock,
  onError,
}: ApplicationTokensOptions): ApplicationTokens {
  const { nowMs, monotonicMs } = clock;
  let read: { readonly rows: Promise<readonly TokenCheckRow[]>; readonly atMs: number } | undefined;
  const rows = () => {
    if (read === undefined || monotonicMs() - read.atMs >= READ_INTERVAL_MS) {
      const reading = store.readTokenChecks(applicationId).catch((error: unknown) => {
        onError(error);
        return [];
      });
      read = { rows: reading, atMs: monotonicMs() };
    }
    return read.rows;
  };
  return {
    async keep(tokenHash, expiresAtMs) {
      const checkedAt = nowMs();
      const expiresAt = Math.floor(checkedAt + expiresAtMs - monotonicMs());
      await store.keepTokenCheck({ tokenHash, applicationId, checkedAt, expiresAt }).catch(onError);
    },
    async forget(tokenHash) {
      // Most rejected tokens were never stored. They cause no write.
      if (!(await rows()).some((row) => row.tokenHash === tokenHash)) return;
      read = undefined;
      await store.forgetTokenCheck(tokenHash).catch(onError);
    },
    async recall(tokenHash) {
      const row = (await rows()).find((one) => one.tokenHash === tokenHash);
      // A check from the future was made before the clock was set back: its age is unknown.
      if (row === undefined || row.checkedAt > nowMs()) return undefined;
      const offset = monotonicMs() - nowMs();
      const { checkedAt, expiresAt } = row;
      return { checkedAtMs: checkedAt + offset, expiresAtMs: expiresAt + offset, expiresAt };
    },
  };
}
