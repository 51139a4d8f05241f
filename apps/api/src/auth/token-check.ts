import { type GuildId, mayManageGuild, ProblemError, type Snowflake } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import { type CircuitStateName, DiscordCircuit, type DiscordObserver } from './circuit.ts';
import type { DiscordApi } from './discord-api.ts';
import { DiscordUnavailableError, TokenRejectedError } from './discord-errors.ts';
import type { CurrentAuthorization, CurrentUserGuilds } from './discord-shapes.ts';
import type { InvalidTokenLimit } from './invalid-token-limit.ts';
import type { LookupQueue } from './lookup-queue.ts';
import type { Principal, UserGuild, UserPrincipal } from './principal.ts';

/** Scope that Discord grants by the client-credentials flow alone, so it identifies the application. */
export const APPLICATION_SCOPE = 'applications.commands.update';
const USER_SCOPES = ['identify', 'guilds'];
export const MEMBER_SCOPE = 'guilds.members.read';

/** The facts of a token in Discord's response, beside its user. */
export interface TokenFacts {
  /** The name of the user; undefined: not stated, or the token is the application's own. */
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

export interface TokenCheckOptions {
  readonly discord: DiscordApi;
  readonly applicationId: Snowflake;
  readonly limit: InvalidTokenLimit;
  readonly queue: LookupQueue;
  readonly clock: Clock;
  readonly observer: DiscordObserver;
  readonly onApplication: (application: CurrentAuthorization['application']) => void;
}

export interface UncheckedToken {
  readonly token: string;
  readonly clientIp: string;
  /** True: Discord accepted it before, so the limit of invalid tokens does not apply. */
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
   * Returns the ids of the roles that the user of a token with the scope {@link MEMBER_SCOPE} has in a guild; none of a guild that
   * they are not in.
   * @throws ProblemError invalid-token
   * @throws DiscordUnavailableError
   */
  rolesOf(token: string, clientIp: string, id: GuildId): Promise<readonly Snowflake[]>;
  readonly circuit: CircuitStateName;
}

/** The authorization of a token, as Discord describes it. Its guilds are requested separately. */
interface Authorization {
  readonly expiresAtMs: number;
  readonly facts: TokenFacts;
  /** Undefined: the token is the application's own. */
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
    // By Discord's clock: this machine's clock may be wrong, and valid tokens would count as expired.
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
    // Kept while the queue waits until the guilds may be requested.
    let authorization: Authorization | undefined;
    return queue.run(clientIp, async (signal) => {
      // A limit may have been reached while this check waited.
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
