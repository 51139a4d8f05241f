import type { Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import type { Authorization } from './authorization.ts';
import { randomToken } from './random-token.ts';

/**
 * Codes are valid for one use within 100 seconds.
 *
 * @see https://github.com/discord/discord-api-docs/issues/2526
 */
const AUTHORIZATION_CODE_SECONDS = 100;

/** The parameters of a code exchange. */
export interface CodeRedemption {
  readonly code: string;
  readonly applicationId: Snowflake;
  readonly redirectUri: string | null;
}

interface PendingCode {
  readonly authorization: Authorization;
  readonly redirectUri: string;
  readonly expiresAt: number;
}

/** Authorization codes that were not exchanged yet. */
export class AuthorizationCodes {
  readonly #clock: Clock;
  readonly #pending = new Map<string, PendingCode>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(authorization: Authorization, redirectUri: string): string {
    const code = randomToken();
    const expiresAt = this.#clock() + AUTHORIZATION_CODE_SECONDS * 1000;
    this.#pending.set(code, { authorization, redirectUri, expiresAt });
    return code;
  }

  /** Uses up a code; returns its authorization, or the parameter that does not match. */
  redeem({ code, applicationId, redirectUri }: CodeRedemption): Authorization | 'code' | 'redirect_uri' {
    const pending = this.#pending.get(code);
    if (!pending || pending.authorization.applicationId !== applicationId) return 'code';
    this.#pending.delete(code);
    if (pending.expiresAt <= this.#clock()) return 'code';
    return pending.redirectUri === redirectUri ? pending.authorization : 'redirect_uri';
  }
}
