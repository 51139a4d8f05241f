import {
  type ChangeOrigin,
  EXPECTED,
  type GuildId,
  GuildInput,
  issuesOf,
  PROBLEMS,
  ProblemError,
  type ProblemSlug,
} from '@guild-settings/contract';
import { type AccessLevel, type GuildAccess, managedBy } from '../auth/guild-access.ts';
import type { CheckedPerson } from '../auth/member-roles.ts';
import type { ApplicationPrincipal, Principal, UserPrincipal } from '../auth/principal.ts';
import type { AuthenticatedToken, TokenFacts } from '../auth/token-check.ts';
import { type WritePermission, WritePermissionExpiredError } from '../auth/write-permission.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import type { Change, StoredGuild } from '../store/guild-store.ts';
import type { Call, RequestInfo, Transport } from './call.ts';

export interface Caller {
  readonly principal: Principal;
  readonly facts: TokenFacts;
  readonly checkedAtMs: number;
  readonly isCheckedAgain: boolean;
  readonly tokenExpiresAtMs: number;
  /** A write whose body arrived later is authorized again. */
  readonly bodyUntilMs: number;
  /** A write that commits later is authorized again. */
  readonly mayWriteUntilMs: number;
}

export type Access<Granted> = CallerAccess<Granted> | PublicAccess<Granted>;

interface CallerAccess<Granted> {
  readonly problems: readonly ProblemSlug[];
  /** Returns what the handler may rely on. @throws ProblemError for a caller that may not call the operation */
  grant(caller: Caller, call: Call): Promise<Granted>;
}

interface PublicAccess<Granted> {
  readonly isPublic: true;
  readonly problems: readonly [];
  grant(): Promise<Granted>;
}

export type AuthorizeGuild<Guild extends GuildAccess> = (caller: Caller, id: GuildId) => Guild | Promise<Guild>;

/**
 * The grant of {@link guildAccess}: a guild that the caller may use, and its stored state (null: nothing is stored).
 */
export interface GrantedGuild<Level extends AccessLevel = 'view'> {
  readonly caller: Caller;
  readonly guild: GuildAccess<Level>;
  readonly stored: StoredGuild | null;
}

/**
 * Grants those who have a level of access to the guild that the path names, and the application, while the bot is in that guild:
 * managers, and whom the access list lets in.
 */
export function guildAccess<Level extends AccessLevel>(level: Level): Access<GrantedGuild<Level>> {
  return {
    problems: ['not-guild-manager', ...(level === 'view' ? [] : (['insufficient-access'] as const)), 'bot-absent'],
    async grant(found, call) {
      const wanted = { id: await guildIdOf(call), authorize: authorizerOf(call, level) };
      const { caller, guild } = await authorizeCaller(call, found, wanted);
      return { caller, guild, stored: await call.services.guilds.requireBot(guild) };
    },
  };
}

export function authorizerOf<Level extends AccessLevel>(call: Call, level: Level): AuthorizeGuild<GuildAccess<Level>> {
  return (caller, id) => {
    // The manager's access covers every level.
    const managed = managedBy(caller.principal, id) as GuildAccess<Level> | undefined;
    return managed ?? call.services.granted.authorize(level, checkedPerson(call, caller), id);
  };
}

/** Returns what the roles of a caller are looked up by. The application needs none. */
export function checkedPerson({ request }: Call, caller: Caller): CheckedPerson {
  return {
    principal: caller.principal as UserPrincipal,
    scope: caller.facts.scope,
    newerThanMs: caller.isCheckedAgain ? caller.checkedAtMs : Number.NEGATIVE_INFINITY,
    token: () => request.accessToken(),
    clientIp: () => request.clientIp(),
  };
}

export async function guildIdOf(call: Call): Promise<GuildId> {
  const { data, error } = GuildInput.safeParse(await call.input(), EXPECTED);
  if (data === undefined) throw new ProblemError('invalid-request', { issues: issuesOf(error) });
  return data.guild;
}

/** A guild that a caller has requested, and the check of whether the caller may use it. */
interface Wanted<Guild extends GuildAccess> {
  readonly id: GuildId;
  readonly authorize: AuthorizeGuild<Guild>;
}

/**
 * Authorizes a caller for a guild. Before a refusal, an old check of the token is made again: the user may have created or
 * joined the guild since, or may have become its manager. While Discord is unavailable the refusal stands.
 * @throws ProblemError that of `authorize`; invalid-token when the token was revoked since
 */
export async function authorizeCaller<Guild extends GuildAccess>(
  call: Call,
  caller: Caller,
  { id, authorize }: Wanted<Guild>,
): Promise<{ readonly caller: Caller; readonly guild: Guild }> {
  try {
    return { caller, guild: await authorize(caller, id) };
  } catch (refusal) {
    const isRefusal = refusal instanceof ProblemError && PROBLEMS[refusal.slug].status === 403;
    const renewed = isRefusal ? await checkedAgain(call, caller) : undefined;
    if (renewed === undefined) throw refusal;
    return { caller: renewed, guild: await authorize(renewed, id) };
  }
}

/**
 * Returns the caller by a newer check of the token; undefined: the check is not five seconds old, or Discord is unavailable.
 * @throws ProblemError invalid-token when the token was revoked since
 */
export async function checkedAgain(call: Call, caller: Caller): Promise<Caller | undefined> {
  const { services, request, token } = call;
  const checked = await renewing(request, () =>
    services.authenticator.checkAgain(request.accessToken(), () => request.clientIp(), caller),
  );
  if (checked === undefined) return undefined;
  token.checked = Promise.resolve(checked);
  return { ...callerOf(call, checked), isCheckedAgain: true };
}

/** Time for which a write may rely on a check of its token, at least, in milliseconds. */
const WRITE_GRACE_MS = 1_000;

/**
 * Authenticates the caller of a request and counts the call against its rate limit.
 * @param options.isCounted whether the call counts; true unless given
 * @param options.allowStale whether an expired check is enough while Discord is unavailable: for reads only
 * @throws ProblemError not-authenticated, invalid-token, insufficient-scope, rate-limited, discord-unavailable
 */
export async function authenticate(
  call: Call,
  options: { readonly allowStale: boolean; readonly isCounted?: boolean },
): Promise<Caller> {
  const { services, response, token } = call;
  token.checked ??= authenticateToken(call, options);
  const checked = await token.checked;
  const caller = callerOf(call, checked);
  token.principal = caller.principal;
  if (options.isCounted !== false) {
    services.principalLimit.spend(caller.principal, (state) => {
      response.rateLimit = state;
    });
  }
  return caller;
}

export function callerOf(call: Call, checked: AuthenticatedToken): Caller {
  const principal = actingPrincipal(call, checked.principal);
  const { facts, checkedAtMs, expiresAtMs, freshUntilMs } = checked;
  return {
    principal,
    facts,
    checkedAtMs,
    isCheckedAgain: false,
    tokenExpiresAtMs: expiresAtMs,
    bodyUntilMs: Math.min(freshUntilMs, call.services.monotonicMs() + WRITE_GRACE_MS),
    mayWriteUntilMs: freshUntilMs,
  };
}

/** Adds the user that the application acts for. Users act for themselves, whatever the header says. */
function actingPrincipal({ request }: Call, found: Principal): Principal {
  const onBehalfOf = found.kind === 'application' ? request.onBehalfOf() : undefined;
  return onBehalfOf === undefined ? found : { ...(found as ApplicationPrincipal), onBehalfOf };
}

export interface WriteAccess<Guild extends GuildAccess> {
  readonly caller: Caller;
  readonly guild: Guild;
  readonly authorize: AuthorizeGuild<Guild>;
}

/** Maximum authorizations of one write: they may expire while it waits for other writes. */
const MAX_AUTHORIZATIONS = 4;

/**
 * Runs a write whose permission holds at the moment of the commit. The caller is authorized again when the check of the
 * token has expired by then, or when the body took longer than a second.
 * @param write throws WritePermissionExpiredError when the permission has expired; nothing is written then
 * @throws ProblemError that of `authorize`, invalid-token, discord-unavailable, and what `write` throws
 */
export async function writeAuthorized<Guild extends GuildAccess, T>(
  call: Call,
  { caller, guild, authorize }: WriteAccess<Guild>,
  write: (permission: WritePermission<Guild>) => Promise<T>,
): Promise<T> {
  const wanted = { id: guild.id, authorize };
  const isInTime = call.services.monotonicMs() < caller.bodyUntilMs;
  let permission = isInTime ? permissionFor(guild, caller.mayWriteUntilMs) : await authorizeAgain(call, wanted);
  for (let authorizations = 1; authorizations <= MAX_AUTHORIZATIONS; authorizations += 1) {
    try {
      return await write(permission);
    } catch (error) {
      if (!(error instanceof WritePermissionExpiredError)) throw error;
    }
    permission = await authorizeAgain(call, wanted);
  }
  throw new ProblemError('store-unavailable', { retryAfter: 1 });
}

async function authorizeAgain<Guild extends GuildAccess>(
  call: Call,
  wanted: Wanted<Guild>,
): Promise<WritePermission<Guild>> {
  const checked = await authenticateAgain(call);
  const found = callerOf(call, checked);
  const { caller, guild } = await authorizeCaller(call, found, wanted);
  // A check that has just been made is usable, however short the configured lifetime of checks is.
  return permissionFor(guild, Math.max(caller.mayWriteUntilMs, call.services.monotonicMs() + WRITE_GRACE_MS));
}

function permissionFor<Guild extends GuildAccess>(guild: Guild, untilMs: number): WritePermission<Guild> {
  return { guild, mayWriteUntilMs: Math.min(untilMs, guild.untilMs ?? untilMs) };
}

/**
 * Authenticates the application again before a write whose body took longer than a second, or whose token check has
 * expired: the token may have been revoked since.
 * @throws ProblemError invalid-token, discord-unavailable
 */
export async function requireFreshCaller(call: Call, { bodyUntilMs }: Caller): Promise<void> {
  if (call.services.monotonicMs() >= bodyUntilMs) await authenticateAgain(call);
}

function authenticateAgain(call: Call): Promise<AuthenticatedToken> {
  return authenticateToken(call, { allowStale: false });
}

/** Authenticates the token of a request, or of its session. @throws as {@link authenticate} */
export function authenticateToken(
  { services, request }: Call,
  options: { readonly allowStale: boolean },
): Promise<AuthenticatedToken> {
  const { authenticator } = services;
  return renewing(request, () => authenticator.authenticate(request.accessToken(), () => request.clientIp(), options));
}

/** Runs a check, and once more where Discord has rejected the token of a session, and there is another one. */
async function renewing<T>(request: RequestInfo, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const isRejected = error instanceof ProblemError && error.slug === 'invalid-token';
    if (!isRejected || !(await request.renewToken())) throw error;
    return check();
  }
}

/**
 * Returns author, origin, reason and condition of a change, from the caller and the request headers.
 * @throws ProblemError invalid-request for a malformed header
 */
export function changeOptions({ request }: Call, { principal }: Caller): ChangeOptions {
  return {
    actor: actorOf(principal),
    origin: originOf(principal, request.transport),
    reason: request.auditReason(),
    precondition: request.precondition(),
    mayReserved: principal.kind === 'application' && principal.onBehalfOf === undefined,
  };
}

function actorOf(principal: Principal): Change['actor'] {
  if (principal.kind === 'user') return { kind: 'user', id: principal.userId };
  if (principal.onBehalfOf !== undefined) return { kind: 'user', id: principal.onBehalfOf };
  return { kind: 'application', id: principal.applicationId };
}

/** A change by the application on behalf of a user is a command of the bot. */
function originOf(principal: Principal, transport: Transport): ChangeOrigin {
  return principal.kind === 'application' && principal.onBehalfOf !== undefined ? 'bot' : transport;
}
