import { type GuildId, mayManageGuild, ProblemError, type Snowflake } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { TokenCheckRow, TokenCheckStore } from '../store/store.ts';
import {
  type CurrentAuthorization,
  type CurrentUserGuilds,
  type DiscordApi,
  DiscordUnavailableError,
  TokenRejectedError,
} from './discord-api.ts';
import { type CircuitStateName, DiscordCircuit, type DiscordObserver, type LookupQueue } from './discord-lookups.ts';
import type { InvalidTokenLimit } from './limits.ts';
import type { Principal, UserGuild, UserPrincipal } from './principal.ts';

/** A scope that only the client-credentials flow grants, so it identifies the application. */
export const APPLICATION_SCOPE = 'applications.commands.update';
const USER_SCOPES = ['identify', 'guilds'];
export const MEMBER_SCOPE = 'guilds.members.read';

export interface TokenFacts {
  /** The name of the user; undefined: not stated, or an application token. */
  readonly name: string | undefined;
  readonly avatar: string | null;
  readonly scope: string;
  /** The expiry of the token, in milliseconds since 1970 by Discord's clock. */
  readonly expiresAt: number;
}

export interface CheckedToken {
  readonly principal: Principal;
  readonly facts: TokenFacts;
  readonly expiresAtMs: number;
}

export interface AuthenticatedToken extends CheckedToken {
  readonly checkedAtMs: number;
  /** Monotonic time in milliseconds from which the token must be checked again. */
  readonly freshUntilMs: number;
}

interface TokenCheckOptions {
  readonly discord: DiscordApi;
  readonly applicationId: Snowflake;
  readonly limit: InvalidTokenLimit;
  readonly queue: LookupQueue;
  readonly clock: Clock;
  readonly observer: DiscordObserver;
  readonly onApplication: (application: CurrentAuthorization['application']) => void;
}

interface UncheckedToken {
  readonly token: string;
  readonly clientIp: string;
  /** True: Discord has accepted the token before, so the limit of invalid tokens does not apply. */
  readonly wasAccepted: boolean;
}

export interface TokenCheck {
  /**
   * Checks a token.
   * @throws ProblemError invalid-token, insufficient-scope; rate-limited when the client has sent too many invalid tokens
   * @throws DiscordUnavailableError
   */
  check(unchecked: UncheckedToken): Promise<CheckedToken>;
  /**
   * Returns the ids of the roles that the user of a token with the scope {@link MEMBER_SCOPE} has in a guild; empty if
   * they are not a member.
   * @throws ProblemError invalid-token
   * @throws DiscordUnavailableError
   */
  rolesOf(token: string, clientIp: string, id: GuildId): Promise<readonly Snowflake[]>;
  readonly circuit: CircuitStateName;
}

interface Authorization {
  readonly expiresAtMs: number;
  readonly facts: TokenFacts;
  /** Undefined: an application token. */
  readonly userId: Snowflake | undefined;
}

/** Creates the check of tokens, with a circuit breaker and the limits that Discord requires. */
export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const { discord, applicationId, limit, queue, clock, observer, onApplication } = options;
  const circuit = new DiscordCircuit(clock.monotonicMs, observer);

  async function requestAuthorization(token: string, signal: AbortSignal): Promise<Authorization> {
    const authorization = await circuit.send(() => discord.currentAuthorization(token, signal), signal);
    if (authorization.application.id !== applicationId) throw new ProblemError('invalid-token');
    onApplication(authorization.application);
    const { nowMs, monotonicMs } = clock;
    // Compared by Discord's clock: if this machine's clock is wrong, valid tokens would count as expired.
    const lifetimeMs = authorization.expires - (authorization.respondedAt ?? nowMs());
    if (lifetimeMs <= 0) throw new ProblemError('invalid-token');
    const expiresAtMs = monotonicMs() + lifetimeMs;
    const facts = factsOf(authorization);
    if (authorization.scopes.includes(APPLICATION_SCOPE)) return { expiresAtMs, facts, userId: undefined };
    if (!USER_SCOPES.every((scope) => authorization.scopes.includes(scope))) {
      throw new ProblemError('insufficient-scope');
    }
    if (authorization.user === undefined) throw new DiscordUnavailableError('malformed');
    return { expiresAtMs, facts, userId: authorization.user.id };
  }

  async function requestPrincipal(
    { userId, ...checked }: Authorization,
    token: string,
    signal: AbortSignal,
  ): Promise<CheckedToken> {
    if (userId === undefined) return { principal: { kind: 'application', applicationId }, ...checked };
    const guilds = await circuit.send(() => discord.currentUserGuilds(token, signal), signal);
    return { principal: { kind: 'user', userId, ...guildsOf(guilds) }, ...checked };
  }

  async function requireFewInvalid({ clientIp, wasAccepted }: UncheckedToken): Promise<void> {
    if (!wasAccepted) await limit.check(clientIp);
  }

  async function updateLimit(error: unknown, clientIp: string): Promise<void> {
    const isRefusal = error instanceof DiscordUnavailableError && error.fault === 'refused';
    if (isRefusal || error instanceof TokenRejectedError) await limit.count(clientIp);
  }

  async function look(unchecked: UncheckedToken): Promise<CheckedToken> {
    const { token, clientIp } = unchecked;
    await requireFewInvalid(unchecked);
    // Kept while the request for the guilds waits in the queue.
    let authorization: Authorization | undefined;
    return queue.run(clientIp, async (signal) => {
      // The limit may have been reached while this check waited.
      await requireFewInvalid(unchecked);
      circuit.requirePauseOver();
      try {
        return await circuit.run(async () => {
          authorization ??= await requestAuthorization(token, signal);
          return requestPrincipal(authorization, token, signal);
        });
      } catch (error) {
        await updateLimit(error, clientIp);
        throw error;
      }
    });
  }

  function lookAtRoles(token: string, clientIp: string, id: GuildId): Promise<readonly Snowflake[]> {
    return queue.run(clientIp, async (signal) => {
      circuit.requirePauseOver();
      return circuit.run(() => circuit.send(() => discord.currentUserRoles(token, id, signal), signal));
    });
  }

  function refuse(error: unknown): never {
    if (error instanceof TokenRejectedError) throw new ProblemError('invalid-token', { cause: error });
    if (error instanceof DiscordUnavailableError && error.fault !== 'circuit-open') observer.onFailure(error);
    throw error;
  }

  return {
    get circuit() {
      return circuit.state;
    },
    check: (unchecked) => look(unchecked).catch(refuse),
    rolesOf: (token, clientIp, id) =>
      lookAtRoles(token, clientIp, id).catch((error: unknown) => {
        if (error instanceof DiscordUnavailableError && (error.status === 403 || error.status === 404)) return [];
        return refuse(error);
      }),
  };
}

function factsOf({ scopes, expires, user }: CurrentAuthorization): TokenFacts {
  const isOfUser = !scopes.includes(APPLICATION_SCOPE);
  return {
    name: isOfUser ? (user?.global_name ?? user?.username) : undefined,
    avatar: (isOfUser && user?.avatar) || null,
    scope: scopes.join(' '),
    expiresAt: expires,
  };
}

function guildsOf(guilds: CurrentUserGuilds): Pick<UserPrincipal, 'managedGuilds' | 'otherGuilds'> {
  const managedGuilds = new Map<GuildId, UserGuild>();
  const otherGuilds = new Map<GuildId, bigint>();
  for (const guild of guilds) {
    const { id, name, icon, owner: isOwner, permissions } = guild;
    if (mayManageGuild(guild)) managedGuilds.set(id, { profile: { name, icon }, isOwner, permissions });
    else otherGuilds.set(id, permissions);
  }
  return { managedGuilds, otherGuilds };
}

/** Time for which read rows are reused, so that requests with unknown tokens do not cause more reads. */
const READ_INTERVAL_MS = 1_000;

/** Stored check of an accepted token. Times are monotonic, in milliseconds. */
interface RecalledCheck {
  readonly checkedAtMs: number;
  readonly expiresAtMs: number;
  readonly expiresAt: number;
}

/**
 * Checks of the application's tokens, stored in the database by token hash. A process that starts while Discord is
 * unavailable can serve the bots that were connected before. Tokens of users are not stored.
 */
export interface ApplicationTokens {
  /** Stores that a token was accepted now. Never rejects: a check that is not stored is repeated later. */
  keep(tokenHash: string, expiresAtMs: number): Promise<void>;
  /** Deletes the check of a revoked token. Never rejects. */
  forget(tokenHash: string): Promise<void>;
  /** Returns the last check of a token; undefined: none, or the clock was set back since. Never rejects. */
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
      // Most rejected tokens were never stored: avoids a write for them.
      if (!(await rows()).some((row) => row.tokenHash === tokenHash)) return;
      read = undefined;
      await store.forgetTokenCheck(tokenHash).catch(onError);
    },
    async recall(tokenHash) {
      const row = (await rows()).find((one) => one.tokenHash === tokenHash);
      // The check is from the future, because the clock was set back: its age is unknown.
      if (row === undefined || row.checkedAt > nowMs()) return undefined;
      const offset = monotonicMs() - nowMs();
      const { checkedAt, expiresAt } = row;
      return { checkedAtMs: checkedAt + offset, expiresAtMs: expiresAt + offset, expiresAt };
    },
  };
}
