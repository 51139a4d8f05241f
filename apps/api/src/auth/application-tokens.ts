import type { Snowflake } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { Store, TokenCheckRow } from '../store/store.ts';

/** How long what was read from the store serves, in milliseconds: callers with unknown tokens cannot make it read more often. */
const READ_INTERVAL_MS = 1_000;

/** When a token was found good, and when it expires, in monotonic milliseconds. */
export interface RecalledCheck {
  readonly checkedAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * When tokens of the application were last found good, by any process, kept in the database under their hashes. A process
 * that starts while Discord is unavailable goes on serving the bots that were served before. People's tokens are not kept.
 */
export interface ApplicationTokens {
  /** Keeps that a token was found good just now. Never rejects: what is not kept is checked again. */
  keep(tokenHash: string, expiresAtMs: number): Promise<void>;
  /** Forgets the check of a token that turned out to be revoked, where one is kept. Never rejects. */
  forget(tokenHash: string): Promise<void>;
  /** The last check of a token; undefined where none is kept, or the clock was stepped behind it. Never rejects. */
  recall(tokenHash: string): Promise<RecalledCheck | undefined>;
}

interface ApplicationTokensOptions {
  readonly applicationId: Snowflake;
  readonly store: Pick<Store, 'keepTokenCheck' | 'forgetTokenCheck' | 'readTokenChecks'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Keeps the checks of one application's tokens in a store. */
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
      // Unknown tokens are many, and none of them is kept: they cost no write.
      if (!(await rows()).some((row) => row.tokenHash === tokenHash)) return;
      read = undefined;
      await store.forgetTokenCheck(tokenHash).catch(onError);
    },
    async recall(tokenHash) {
      const row = (await rows()).find((one) => one.tokenHash === tokenHash);
      // A check from the future was made before the clock was stepped back: its age is unknown.
      if (row === undefined || row.checkedAt > nowMs()) return undefined;
      const offset = monotonicMs() - nowMs();
      return { checkedAtMs: row.checkedAt + offset, expiresAtMs: row.expiresAt + offset };
    },
  };
}
