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

/** So many failures in a row stop the calls for so many milliseconds; then one call tries again. */
const FAILURES_TO_OPEN = 5;
const OPEN_FOR = 2_000;

/** A client-credentials grant alone gives this scope, so it marks the application itself. */
const APPLICATION_SCOPE = 'applications.commands.update';
const USER_SCOPES = ['identify', 'guilds'];

/** A good token: whose it is, and until when, in monotonic milliseconds. */
export interface CheckedToken {
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

export interface TokenCheckOptions {
  readonly discord: DiscordApi;
  readonly applicationId: Snowflake;
  readonly limit: InvalidTokenLimit;
  readonly queue: LookupQueue;
  readonly clock: Clock;
}

/** A token to ask Discord about. */
export interface TokenInQuestion {
  readonly token: string;
  /** The client that sent it. */
  readonly address: string;
  /** Discord found it good before, so it is not held against its sender that others send bad ones. */
  readonly wasGood: boolean;
}

/** Asks Discord about a token. */
export type TokenCheck = (question: TokenInQuestion) => Promise<CheckedToken>;

/**
 * Makes the check of a token against Discord.
 *
 * It throws ProblemError invalid-token or insufficient-scope when the token is to blame, rate-limited when its sender is,
 * and DiscordUnavailableError when Discord is.
 */
export function createTokenCheck({ discord, applicationId, limit, queue, clock }: TokenCheckOptions): TokenCheck {
  const breaker = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: monotonicWait(OPEN_FOR, clock.monotonicMs),
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
  });
  // A connection that was kept alive may have been closed in the meantime: one more try, for that alone.
  const again = retry(handleWhen(isNetworkFault), { maxAttempts: 1, backoff: new ConstantBackoff(20) });
  /** When Discord may be called again, in monotonic milliseconds. */
  let pausedUntil = Number.NEGATIVE_INFINITY;

  async function ask(token: string, signal: AbortSignal): Promise<CheckedToken> {
    const authorization = await again.execute(() => discord.currentAuthorization(token, signal), signal);
    if (authorization.application.id !== applicationId) throw new ProblemError('invalid-token');
    const { nowMs, monotonicMs } = clock;
    // By Discord's clock: this machine's may be wrong, and would then call good tokens expired.
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
    const guilds = await again.execute(() => discord.currentUserGuilds(token, signal), signal);
    return {
      principal: { kind: 'user', userId: authorization.user.id, managedGuilds: managedGuilds(guilds) },
      expiresAtMs,
    };
  }

  async function checkLimits({ address, wasGood }: TokenInQuestion): Promise<void> {
    if (!wasGood) await limit.check(address);
    const pauseMs = pausedUntil - clock.monotonicMs();
    if (pauseMs > 0) throw new DiscordUnavailableError('rate-limited', { retryAfter: Math.ceil(pauseMs / 1_000) });
  }

  /** Notes what an answer means for the next ones, before the next one in the queue is let through. */
  async function note(error: unknown, address: string): Promise<void> {
    if (error instanceof DiscordUnavailableError && error.everyone) {
      pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + error.retryAfter * 1_000);
    }
    const isRefusal = error instanceof DiscordUnavailableError && error.fault === 'refused';
    if (isRefusal || error instanceof TokenRejectedError) await limit.count(address);
  }

  return async (question) => {
    const { token, address } = question;
    await checkLimits(question);
    try {
      return await queue.run(address, async (signal) => {
        // What was said while this one waited counts as well.
        await checkLimits(question);
        try {
          return await breaker.execute(() => ask(token, signal));
        } catch (error) {
          await note(error, address);
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof TokenRejectedError) throw new ProblemError('invalid-token', { cause: error });
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new DiscordUnavailableError('circuit-open', { retryAfter: OPEN_FOR / 1_000 });
    }
  };
}

/** The guilds that somebody manages: to the service the others are all alike. */
function managedGuilds(guilds: CurrentUserGuilds): ReadonlyMap<GuildId, GuildProfile> {
  return new Map(guilds.filter(mayManageGuild).map(({ id, name, icon }) => [id, { name, icon }]));
}

function isNetworkFault(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault === 'network';
}

/** A 429 speaks of our calls and a refusal of one token; neither says that Discord is unwell. */
function isOutage(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault !== 'rate-limited' && error.fault !== 'refused';
}
