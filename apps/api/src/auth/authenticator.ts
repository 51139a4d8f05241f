import { hash } from 'node:crypto';
import { ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '../ops/metrics.ts';
import type { ApplicationTokens } from './application-tokens.ts';
import { DiscordUnavailableError } from './discord-errors.ts';
import type { CheckedToken, TokenCheck } from './token-check.ts';

/** Bad tokens remembered, and good ones by the room they take: one, and one for each guild that their owner manages. */
const MAX_TOKENS = 10_000;
const MAX_ROOM = 100_000;

/** How long a bad token is remembered as bad, in milliseconds: a token never turns good again. */
const REJECTED_FOR = 600_000;

/** The same for a token that was good a moment ago: should Discord have erred, its owner is not kept out for long. */
const ONCE_GOOD_REJECTED_FOR = 30_000;

/** A good token whose check holds for a while. */
export interface AuthenticatedToken extends CheckedToken {
  /** Until when it may be relied on without another check, in monotonic milliseconds. */
  readonly freshUntilMs: number;
}

export interface AuthenticatorOptions {
  readonly check: TokenCheck;
  readonly applicationTokens: ApplicationTokens;
  readonly applicationId: Snowflake;
  /** Monotonic time in milliseconds. */
  readonly monotonicMs: () => number;
  readonly metrics: Metrics;
  /** How long an answer of Discord's holds, in milliseconds. */
  readonly cacheTtlMs: number;
  /** How much longer it holds for reading while Discord is unavailable, in milliseconds. */
  readonly staleGraceMs: number;
}

/** Finds out who a token belongs to, asking Discord as seldom as it may. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** All by the token's hash. Good and bad are apart, so that a flood of bad tokens cannot push out good ones. */
  readonly #known = new LRUCache<string, AuthenticatedToken>({ maxSize: MAX_ROOM, sizeCalculation: roomOf });
  readonly #rejected = new LRUCache<string, { readonly problem: ProblemError; readonly until: number }>({
    max: MAX_TOKENS,
  });
  /** Tokens that Discord would not speak about a moment ago. */
  readonly #unanswered = new LRUCache<string, { readonly error: DiscordUnavailableError; readonly until: number }>({
    max: MAX_TOKENS,
  });
  readonly #underWay = new Map<string, Promise<AuthenticatedToken>>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * The principal that a token stands for, and until when.
   * @param address the client's, asked for when Discord has to be
   * @param allowStale whether an answer past its time will do while Discord is unavailable: for reading, never for writing
   * @throws ProblemError invalid-token, insufficient-scope, rate-limited, discord-unavailable
   */
  async authenticate(
    token: string,
    address: () => string,
    { allowStale }: { allowStale: boolean },
  ): Promise<AuthenticatedToken> {
    const { monotonicMs, metrics, staleGraceMs } = this.#options;
    const key = tokenHash(token);
    const now = monotonicMs();

    const known = this.#known.get(key);
    if (known && now < known.freshUntilMs) {
      metrics.authCache('hit');
      return known;
    }
    const rejected = this.#rejected.get(key);
    if (rejected && now < rejected.until) {
      metrics.authCache('rejected');
      throw rejected.problem;
    }
    try {
      const unanswered = this.#unanswered.get(key);
      if (unanswered && now < unanswered.until) throw unanswered.error;
      metrics.authCache('miss');
      return await this.#checkOnce(key, token, address());
    } catch (error) {
      if (!(error instanceof DiscordUnavailableError)) throw error;
      const stale = allowStale ? (known ?? (await this.#recall(key))) : undefined;
      if (stale && monotonicMs() < Math.min(stale.freshUntilMs + staleGraceMs, stale.expiresAtMs)) {
        metrics.authCache('stale');
        return stale;
      }
      throw new ProblemError('discord-unavailable', { retryAfter: error.retryAfter, cause: error });
    }
  }

  /** The same without asking anybody: undefined unless the token was found good within the time that this holds. */
  recognize(token: string): AuthenticatedToken | undefined {
    const known = this.#known.get(tokenHash(token));
    return known && this.isFresh(known) ? known : undefined;
  }

  /** Whether a check may still be relied on. */
  isFresh({ freshUntilMs }: AuthenticatedToken): boolean {
    return this.#options.monotonicMs() < freshUntilMs;
  }

  /** What a process before this one found out about a token of the application. */
  async #recall(key: string): Promise<AuthenticatedToken | undefined> {
    const { applicationTokens, applicationId, cacheTtlMs } = this.#options;
    const recalled = await applicationTokens.recall(key);
    if (recalled === undefined) return undefined;
    const { checkedAtMs, expiresAtMs } = recalled;
    const freshUntilMs = Math.min(checkedAtMs + cacheTtlMs, expiresAtMs);
    return { principal: { kind: 'application', applicationId }, expiresAtMs, freshUntilMs };
  }

  /** Simultaneous look-ups of one token are one look-up. */
  #checkOnce(key: string, token: string, address: string): Promise<AuthenticatedToken> {
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const check = this.#check(key, token, address).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, check);
    return check;
  }

  async #check(key: string, token: string, address: string): Promise<AuthenticatedToken> {
    const { check, applicationTokens, monotonicMs, cacheTtlMs } = this.#options;
    const checkedAtMs = monotonicMs();
    const wasGood = (this.#known.get(key)?.expiresAtMs ?? Number.NEGATIVE_INFINITY) > checkedAtMs;
    try {
      const checked = await check({ token, address, wasGood });
      const known = { ...checked, freshUntilMs: Math.min(checkedAtMs + cacheTtlMs, checked.expiresAtMs) };
      this.#known.set(key, known);
      if (known.principal.kind === 'application') void applicationTokens.keep(key, known.expiresAtMs);
      return known;
    } catch (error) {
      if (error instanceof ProblemError && (error.slug === 'invalid-token' || error.slug === 'insufficient-scope')) {
        this.#known.delete(key);
        await applicationTokens.forget(key);
        this.#rejected.set(key, {
          problem: error,
          until: monotonicMs() + (wasGood ? ONCE_GOOD_REJECTED_FOR : REJECTED_FOR),
        });
      }
      if (error instanceof DiscordUnavailableError && error.wasAsked) {
        this.#unanswered.set(key, { error, until: monotonicMs() + error.retryAfter * 1_000 });
      }
      throw error;
    }
  }
}

function roomOf({ principal }: CheckedToken): number {
  return 1 + (principal.kind === 'user' ? principal.managedGuilds.size : 0);
}

/** Returns a token's SHA-256, the key of everything that is kept about it. The token itself is not kept. */
function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
