import { mayManageGuild, ProblemError, type Snowflake } from '@guild-settings/contract';
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel';
import type { DiscordApi } from './discord-api.ts';
import { type DiscordFault, DiscordUnavailableError, TokenRejectedError } from './discord-errors.ts';
import type { CurrentUserGuilds } from './discord-shapes.ts';
import type { InvalidTokenLimit } from './invalid-token-limit.ts';
import type { MemberGuild, Principal } from './principal.ts';

/** Look-ups under way at once, and how many more may wait. */
const LOOKUPS_AT_ONCE = 32;
const LOOKUPS_WAITING = 1_000;

/** So many failures in a row stop the calls for so many milliseconds; then one call tries again. */
const FAILURES_TO_OPEN = 5;
const OPEN_FOR = 2_000;

/** A client-credentials grant alone gives this scope, so it marks the application itself. */
const APPLICATION_SCOPE = 'applications.commands.update';
const USER_SCOPES = ['identify', 'guilds'];

/** A good token: whose it is, and until when, in milliseconds since 1970. */
export interface CheckedToken {
  readonly principal: Principal;
  readonly expiresAt: number;
}

export interface TokenCheckOptions {
  readonly discord: DiscordApi;
  readonly applicationId: Snowflake;
  readonly limit: InvalidTokenLimit;
  readonly clock: () => number;
}

/** Asks Discord about a token that came from `address`. */
export type TokenCheck = (token: string, address: string) => Promise<CheckedToken>;

/**
 * Makes the check of a token against Discord.
 *
 * It throws ProblemError invalid-token or insufficient-scope when the token is to blame, rate-limited when its sender is,
 * and DiscordUnavailableError when Discord is.
 */
export function createTokenCheck({ discord, applicationId, limit, clock }: TokenCheckOptions): TokenCheck {
  const policy = wrap(
    bulkhead(LOOKUPS_AT_ONCE, LOOKUPS_WAITING),
    circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: OPEN_FOR,
      breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    }),
  );
  // A connection that was kept alive may have been closed in the meantime: one more try, for that alone.
  const again = retry(handleWhen(isFault('network')), { maxAttempts: 1, backoff: new ConstantBackoff(20) });
  /** When Discord will hear us again, in milliseconds since 1970. */
  let pausedUntil = 0;

  async function ask(token: string): Promise<CheckedToken> {
    const authorization = await again.execute(() => discord.currentAuthorization(token));
    if (authorization.application.id !== applicationId) throw new ProblemError('invalid-token');
    if (authorization.expires <= clock()) throw new ProblemError('invalid-token');
    const expiresAt = authorization.expires;
    if (authorization.scopes.includes(APPLICATION_SCOPE)) {
      return { principal: { kind: 'application', applicationId }, expiresAt };
    }
    if (!USER_SCOPES.every((scope) => authorization.scopes.includes(scope))) {
      throw new ProblemError('insufficient-scope');
    }
    if (authorization.user === undefined) throw new DiscordUnavailableError('malformed');
    const guilds = await again.execute(() => discord.currentUserGuilds(token));
    return { principal: { kind: 'user', userId: authorization.user.id, guilds: memberGuilds(guilds) }, expiresAt };
  }

  async function askOnBehalfOf(address: string, token: string): Promise<CheckedToken> {
    await limit.check(address);
    if (clock() < pausedUntil) {
      throw new DiscordUnavailableError('rate-limited', { retryAfter: Math.ceil((pausedUntil - clock()) / 1_000) });
    }
    try {
      return await ask(token);
    } catch (error) {
      if (error instanceof DiscordUnavailableError && error.everyone) {
        pausedUntil = clock() + error.retryAfter * 1_000;
      }
      if (!(error instanceof TokenRejectedError)) throw error;
      // Counted before the next one in the queue is checked, so the limit is overrun by those under way at most.
      await limit.count(address);
      throw new ProblemError('invalid-token', { cause: error });
    }
  }

  return async (token, address) => {
    try {
      return await policy.execute(() => askOnBehalfOf(address, token));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}

function memberGuilds(guilds: CurrentUserGuilds): ReadonlyMap<string, MemberGuild> {
  return new Map(
    guilds.map((guild) => [guild.id, { name: guild.name, icon: guild.icon, manages: mayManageGuild(guild) }]),
  );
}

function isFault(fault: DiscordFault) {
  return (error: Error) => error instanceof DiscordUnavailableError && error.fault === fault;
}

/** A 429 speaks of our calls, not of Discord's health. */
function isOutage(error: Error): boolean {
  return error instanceof DiscordUnavailableError && error.fault !== 'rate-limited';
}

function asUnavailable(error: unknown): unknown {
  const retryAfter = OPEN_FOR / 1_000;
  if (error instanceof BrokenCircuitError) return new DiscordUnavailableError('circuit-open', { retryAfter });
  if (error instanceof BulkheadRejectedError) return new DiscordUnavailableError('overloaded', { retryAfter });
  return error;
}
