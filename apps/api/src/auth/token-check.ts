import {
  type GuildId,
  type GuildProfile,
  mayManageGuild,
  ProblemError,
  type Snowflake,
} from '@guild-settings/contract';
import { BrokenCircuitError, ConsecutiveBreaker, ConstantBackoff, circuitBreaker, handleWhen, retry } from 'cockatiel';
import type { Clock } from '../clock.ts';
import type { DiscordApi } from './discord-api.ts';
import { DiscordUnavailableError, TokenRejectedError } from './discord-errors.ts';
import type { CurrentUserGuilds } from './discord-shapes.ts';
import type { InvalidTokenLimit } from './invalid-token-limit.ts';
import type { LookupQueue } from './lookup-queue.ts';
import { monotonicWait } from './monotonic-wait.ts';
import type { Principal } from './principal.ts';

/** Consecutive failures that open the circuit, and the time for which it stays open before one request is let through. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 2_000;

/** Scope that Discord grants by the client-credentials flow alone, so it identifies the application. */
const APPLICATION_SCOPE = 'applications.commands.update';
const USER_SCOPES = ['identify', 'guilds'];

/** An accepted token. */
export interface CheckedToken {
  readonly principal: Principal;
  /** Monotonic time. */
  readonly expiresAtMs: number;
}

export interface TokenCheckOptions {
  readonly discord: DiscordApi;
  readonly applicationId: Snowflake;
  readonly limit: InvalidTokenLimit;
  readonly queue: LookupQueue;
  readonly clock: Clock;
}

/** A token to check. */
export interface UncheckedToken {
  readonly token: string;
  /** IP address of the client that sent it. */
  readonly clientIp: string;
  /** Whether Discord accepted it before: the limit of invalid tokens does not apply then. */
  readonly wasAccepted: boolean;
}

/**
 * Checks a token by Discord.
 * @throws ProblemError invalid-token, insufficient-scope; rate-limited when the client has sent too many invalid tokens
 * @throws DiscordUnavailableError
 */
export type TokenCheck = (unchecked: UncheckedToken) => Promise<CheckedToken>;

/** Creates the check of tokens, with a circuit breaker and the limits that Discord requires. */
export function createTokenCheck({ discord, applicationId, limit, queue, clock }: TokenCheckOptions): TokenCheck {
  const breaker = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: monotonicWait(OPEN_MS, clock.monotonicMs),
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
  });
  // A connection that was kept alive may have been closed in the meantime: one retry, for that fault alone.
  const retryOnce = retry(handleWhen(isNetworkFault), { maxAttempts: 1, backoff: new ConstantBackoff(20) });
  /** Monotonic time until which no request is sent. */
  let pausedUntilMs = Number.NEGATIVE_INFINITY;

  async function request(token: string, signal: AbortSignal): Promise<CheckedToken> {
    const authorization = await retryOnce.execute(() => discord.currentAuthorization(token, signal), signal);
    if (authorization.application.id !== applicationId) throw new ProblemError('invalid-token');
    const { nowMs, monotonicMs } = clock;
    // By Discord's clock: this machine's clock may be wrong, and valid tokens would count as expired.
    const lifetimeMs = authorization.expires - (authorization.respondedAt ?? nowMs());
    if (lifetimeMs <= 0) throw new ProblemError('invalid-token');
    const expiresAtMs = monotonicMs() + lifetimeMs;
    if (authorization.scopes.includes(APPLICATION_SCOPE)) {
      return { principal: { kind: 'application', applicationId }, expiresAtMs };
    }
    if (!USER_SCOPES.every((scope) => authorization.scopes.includes(scope))) {
      throw new ProblemError('insufficient-scope');
    }
    if (authorization.user === undefined) throw new DiscordUnavailableError('malformed');
    const guilds = await retryOnce.execute(() => discord.currentUserGuilds(token, signal), signal);
    return {
      principal: { kind: 'user', userId: authorization.user.id, managedGuilds: managedGuilds(guilds) },
      expiresAtMs,
    };
  }

  async function checkLimits({ clientIp, wasAccepted }: UncheckedToken): Promise<void> {
    if (!wasAccepted) await limit.check(clientIp);
    const pauseMs = pausedUntilMs - clock.monotonicMs();
    if (pauseMs > 0) throw new DiscordUnavailableError('rate-limited', { retryAfter: Math.ceil(pauseMs / 1_000) });
  }

  /** Updates the limits after a failure, before the next request of the queue is sent. */
  async function updateLimits(error: unknown, clientIp: string): Promise<void> {
    if (error instanceof DiscordUnavailableError && error.isGlobal) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.monotonicMs() + error.retryAfter * 1_000);
    }
    const isRefusal = error instanceof DiscordUnavailableError && error.fault === 'refused';
    if (isRefusal || error instanceof TokenRejectedError) await limit.count(clientIp);
  }

  return async (unchecked) => {
    const { token, clientIp } = unchecked;
    await checkLimits(unchecked);
    try {
      return await queue.run(clientIp, async (signal) => {
        // A limit may have been reached while this check waited.
        await checkLimits(unchecked);
        try {
          return await breaker.execute(() => request(token, signal));
        } catch (error) {
          await updateLimits(error, clientIp);
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof TokenRejectedError) throw new ProblemError('invalid-token', { cause: error });
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new DiscordUnavailableError('circuit-open', { retryAfter: OPEN_MS / 1_000 });
    }
  };
}

/** Returns the guilds that the user manages. */
function managedGuilds(guilds: CurrentUserGuilds): ReadonlyMap<GuildId, GuildProfile> {
  return new Map(guilds.filter(mayManageGuild).map(({ id, name, icon }) => [id, { name, icon }]));
}

function isNetworkFault(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault === 'network';
}

/** Returns whether a failure is an outage: a 429 limits this service, and a refusal is about one token. */
function isOutage(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault !== 'rate-limited' && error.fault !== 'refused';
}
