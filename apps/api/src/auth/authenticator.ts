import { hash } from 'node:crypto';
import { ProblemError, type Snowflake } from '@guild-settings/contract';
import type { Redactor } from '@guild-settings/runtime/log';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { throttledWarning } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createDiscordApi, DiscordUnavailableError } from './discord-api.ts';
import { CIRCUIT_STATES, type DiscordObserver, type LookupQueue } from './discord-lookups.ts';
import { createInvalidTokenLimit } from './limits.ts';
import type { OwnApplication } from './own-application.ts';
import {
  APPLICATION_SCOPE,
  type ApplicationTokens,
  type AuthenticatedToken,
  type CheckedToken,
  createTokenCheck,
  type TokenCheck,
} from './token-check.ts';

/**
 * Number of rejected tokens that are kept. Limits are given as `maxSize`: `max` would allocate memory for all entries
 * at the start.
 */
const MAX_TOKENS = 10_000;

/** Size of the cache of accepted tokens: see {@link cacheSizeOf}. */
const MAX_CACHE_SIZE = 200_000;

/** Time for which a token stays rejected without another check: a rejected token never becomes valid again. */
const REJECTED_TTL_MS = 600_000;

/**
 * Time for which a token stays rejected that was accepted before: an error at Discord must not lock the user out for
 * long.
 */
const ONCE_ACCEPTED_REJECTED_TTL_MS = 30_000;

/** Age from which a check is repeated before a request is refused because of it: the user may have become a manager. */
const REPEAT_AFTER_MS = 5_000;

interface AuthenticatorOptions {
  readonly check: TokenCheck['check'];
  readonly rolesOf: TokenCheck['rolesOf'];
  readonly applicationTokens: ApplicationTokens;
  readonly applicationId: Snowflake;
  readonly monotonicMs: () => number;
  readonly metrics: Metrics;
  readonly cacheTtlMs: number;
  /** Time for which an expired check is still used for reads while Discord is unavailable. */
  readonly staleGraceMs: number;
}

/** Authenticates access tokens with Discord. Caches the results to send few requests. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** Accepted tokens by hash. A cache of its own: a flood of invalid tokens must not evict valid ones. */
  readonly #accepted = new LRUCache<string, AuthenticatedToken>({
    maxSize: MAX_CACHE_SIZE,
    sizeCalculation: cacheSizeOf,
  });
  readonly #rejected = new LRUCache<string, { readonly problem: ProblemError; readonly untilMs: number }>({
    maxSize: MAX_TOKENS,
    sizeCalculation: () => 1,
  });
  readonly #unavailable = new LRUCache<string, { readonly error: DiscordUnavailableError; readonly untilMs: number }>({
    maxSize: MAX_TOKENS,
    sizeCalculation: () => 1,
  });
  readonly #pending = new Map<string, Promise<AuthenticatedToken>>();
  /** Start times of the last checks of tokens that were accepted before, whatever the outcome. */
  readonly #checkedAtMs = new LRUCache<string, number>({ maxSize: MAX_CACHE_SIZE, sizeCalculation: () => 1 });

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /**
   * Returns the principal of a token and the lifetime of its check.
   * @param clientIp called only when the token has to be checked by Discord
   * @param options.allowStale true: accepts an expired check while Discord is unavailable; for reads only
   * @throws ProblemError invalid-token, insufficient-scope, rate-limited, discord-unavailable
   */
  async authenticate(
    token: string,
    clientIp: () => string,
    { allowStale }: { readonly allowStale: boolean },
  ): Promise<AuthenticatedToken> {
    const { monotonicMs, metrics, staleGraceMs } = this.#options;
    const key = tokenHash(token);
    const nowMs = monotonicMs();

    const accepted = this.#accepted.get(key);
    if (accepted && nowMs < accepted.freshUntilMs) {
      metrics.authCache('hit');
      return accepted;
    }
    const rejected = this.#rejected.get(key);
    if (rejected && nowMs < rejected.untilMs) {
      metrics.authCache('rejected');
      throw rejected.problem;
    }
    try {
      const unavailable = this.#unavailable.get(key);
      if (unavailable && nowMs < unavailable.untilMs) throw unavailable.error;
      metrics.authCache('miss');
      return await this.#checkOnce(key, token, clientIp());
    } catch (error) {
      if (!(error instanceof DiscordUnavailableError)) throw error;
      const stale = allowStale ? (accepted ?? (await this.#recall(key))) : undefined;
      if (stale && monotonicMs() < Math.min(stale.freshUntilMs + staleGraceMs, stale.expiresAtMs)) {
        metrics.authCache('stale');
        return stale;
      }
      throw new ProblemError('discord-unavailable', { retryAfter: error.retryAfter, cause: error });
    }
  }

  /**
   * Returns a newer check of a token than the one that led to a refusal. Discord is requested unless the last check
   * began less than five seconds ago or Discord has required a longer pause. Simultaneous calls share a request.
   * @returns undefined: too early, or Discord is unavailable
   * @throws ProblemError invalid-token, insufficient-scope
   */
  async checkAgain(
    token: string,
    clientIp: () => string,
    { checkedAtMs }: Pick<AuthenticatedToken, 'checkedAtMs'>,
  ): Promise<AuthenticatedToken | undefined> {
    const key = tokenHash(token);
    const accepted = this.#accepted.get(key);
    if (accepted !== undefined && accepted.checkedAtMs > checkedAtMs) return accepted;
    const lastMs = Math.max(checkedAtMs, this.#checkedAtMs.get(key) ?? checkedAtMs);
    const dueMs = Math.max(lastMs + REPEAT_AFTER_MS, this.#unavailable.get(key)?.untilMs ?? lastMs);
    if (this.#options.monotonicMs() < dueMs && !this.#pending.has(key)) return undefined;
    try {
      return await this.#checkOnce(key, token, clientIp());
    } catch (error) {
      if (error instanceof DiscordUnavailableError) return undefined;
      throw error;
    }
  }

  get rolesOf(): TokenCheck['rolesOf'] {
    return this.#options.rolesOf;
  }

  /**
   * Returns a token whose check is cached and has not expired; undefined: the token must be checked. Sends no request.
   */
  recognize(token: string): AuthenticatedToken | undefined {
    const accepted = this.#accepted.get(tokenHash(token));
    return accepted && this.#options.monotonicMs() < accepted.freshUntilMs ? accepted : undefined;
  }

  /** Returns true if a token was accepted and has not expired, even if its check has to be repeated. */
  hasAccepted(token: string): boolean {
    const accepted = this.#accepted.get(tokenHash(token));
    return accepted !== undefined && this.#options.monotonicMs() < accepted.expiresAtMs;
  }

  /** Returns the stored check of an application token, made by an earlier process. */
  async #recall(key: string): Promise<AuthenticatedToken | undefined> {
    const { applicationTokens, applicationId, cacheTtlMs } = this.#options;
    const recalled = await applicationTokens.recall(key);
    if (recalled === undefined) return undefined;
    const { checkedAtMs, expiresAtMs, expiresAt } = recalled;
    const freshUntilMs = Math.min(checkedAtMs + cacheTtlMs, expiresAtMs);
    // Other scopes are not stored, because they grant nothing here.
    const facts = { name: undefined, avatar: null, scope: APPLICATION_SCOPE, expiresAt };
    return { principal: { kind: 'application', applicationId }, facts, checkedAtMs, expiresAtMs, freshUntilMs };
  }

  #checkOnce(key: string, token: string, clientIp: string): Promise<AuthenticatedToken> {
    const pending = this.#pending.get(key);
    if (pending) return pending;
    const check = this.#check(key, token, clientIp).finally(() => this.#pending.delete(key));
    this.#pending.set(key, check);
    return check;
  }

  async #check(key: string, token: string, clientIp: string): Promise<AuthenticatedToken> {
    const { check, applicationTokens, monotonicMs, cacheTtlMs } = this.#options;
    const checkedAtMs = monotonicMs();
    const wasAccepted = (this.#accepted.get(key)?.expiresAtMs ?? Number.NEGATIVE_INFINITY) > checkedAtMs;
    if (wasAccepted) this.#checkedAtMs.set(key, checkedAtMs);
    try {
      const checked = await check({ token, clientIp, wasAccepted });
      const accepted = {
        ...checked,
        checkedAtMs,
        freshUntilMs: Math.min(checkedAtMs + cacheTtlMs, checked.expiresAtMs),
      };
      this.#accepted.set(key, accepted);
      if (accepted.principal.kind === 'application') void applicationTokens.keep(key, accepted.expiresAtMs);
      return accepted;
    } catch (error) {
      if (error instanceof ProblemError && (error.slug === 'invalid-token' || error.slug === 'insufficient-scope')) {
        this.#accepted.delete(key);
        await applicationTokens.forget(key);
        this.#rejected.set(key, {
          problem: error,
          untilMs: monotonicMs() + (wasAccepted ? ONCE_ACCEPTED_REJECTED_TTL_MS : REJECTED_TTL_MS),
        });
      }
      if (error instanceof DiscordUnavailableError && error.wasRequested) {
        this.#unavailable.set(key, { error, untilMs: monotonicMs() + error.retryAfter * 1_000 });
      }
      throw error;
    }
  }
}

/** Guilds that the user does not manage, per unit of cache size: less is kept about them. */
const OTHER_GUILDS_IN_UNIT = 4;

/** Returns the size of a cached token: one, plus one per guild that its user manages, plus less for the others. */
function cacheSizeOf({ principal }: CheckedToken): number {
  if (principal.kind !== 'user') return 1;
  return 1 + principal.managedGuilds.size + Math.ceil(principal.otherGuilds.size / OTHER_GUILDS_IN_UNIT);
}

/** Returns the SHA-256 of a token, the key of its cached data. The token itself is not kept. */
function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

interface AuthenticatorParts {
  readonly applicationTokens: ApplicationTokens;
  /** Receives what Discord states about the application with each check. */
  readonly application: OwnApplication;
  readonly queue: LookupQueue;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: FastifyBaseLogger;
}

export function createAuthenticator(config: Config, parts: AuthenticatorParts): Authenticator {
  const { check, rolesOf } = createCheck(config, parts);
  return new Authenticator({
    check,
    rolesOf,
    applicationTokens: parts.applicationTokens,
    applicationId: config.discord.applicationId,
    monotonicMs: parts.clock.monotonicMs,
    metrics: parts.metrics,
    ...config.auth,
  });
}

function createCheck(config: Config, parts: AuthenticatorParts): TokenCheck {
  const { application, queue, metrics, clock, redactor, log } = parts;
  const check = createTokenCheck({
    discord: createDiscordApi({ apiUrl: config.discord.apiUrl, metrics, onToken: redactor.add }),
    applicationId: config.discord.applicationId,
    limit: createInvalidTokenLimit(),
    queue,
    clock,
    observer: discordLog(log, clock.monotonicMs),
    onApplication: application.learn,
  });
  metrics.gauge('discord_circuit_state', () =>
    Object.fromEntries(CIRCUIT_STATES.map((state) => [state, state === check.circuit ? 1 : 0])),
  );
  return check;
}

function discordLog(log: FastifyBaseLogger, monotonicMs: () => number): DiscordObserver {
  const warn = throttledWarning({ log, message: 'a token could not be checked at Discord', monotonicMs });
  return {
    onFailure: (error) => warn(error.fault, error),
    onOpen: (reason) => log.warn({ err: reason }, 'Discord is unavailable: tokens cannot be checked until it responds'),
    onClose: () => log.info('Discord is available again'),
  };
}
