import { setImmediate } from 'node:timers/promises';
import { type ChangeOrigin, ProblemError, type Version, versionIn } from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { Principal } from '../auth/principal.ts';
import type { AuthenticatedToken } from '../auth/token-check.ts';
import { type WritePermission, WritePermissionExpiredError } from '../domain/command.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import type { Change } from '../store/guild-store.ts';
import { type AuthorizeGuild, authorizeCaller, authorizerOf, type GrantedGuild, type Wanted } from './access.ts';
import type { Call, Facts, Transport } from './call.ts';
import { authenticateToken, type Caller, callerOf, WRITE_GRACE_MS } from './caller.ts';

interface GuildChange<Made> {
  readonly fields: () => readonly string[] | Promise<readonly string[]>;
  readonly isPreview?: boolean;
  readonly origin?: ChangeOptions['origin'];
  readonly write: (permission: WritePermission, options: ChangeOptions) => Promise<Made>;
}

/** Makes a change. Resolves with the result of `write` when it is committed; with `Prefer: wait`, when it is live. */
export async function makeChange<Made extends { readonly revision: number; readonly epoch?: string }>(
  { call, caller, guild, stored }: GrantedGuild<'edit'> & { readonly call: Call },
  { fields, isPreview = false, origin, write }: GuildChange<Made>,
): Promise<{ readonly made: Made; readonly facts: Facts }> {
  const options = { ...changeOptions(call, caller), ...(origin && { origin }) };
  const access = { caller, guild, authorize: authorizerOf(call, 'edit') };
  const made = await writeAuthorized(call, access, (permission) => write(permission, options)).catch((error: unknown) =>
    withConflicts(error, { call, guild, fields, options }),
  );
  const version = await versionAfter(call, made);
  if (isPreview) return { made, facts: { version } };
  // A request without an effect returns the revision of an earlier commit.
  const isCommitted = made.revision > (stored?.revision ?? 0);
  const arrival = await awaitArrival(call, guild, { revision: made.revision, isCommitted });
  return { made, facts: { version, ...arrival } };
}

/** Returns the version of the record after a change; for a preview, the version to which it applies. */
export async function versionAfter(
  { services }: Call,
  { revision, epoch }: { readonly revision: number; readonly epoch?: string },
): Promise<Version> {
  return { revision, epoch: epoch ?? (await services.history.epochOf(revision)) };
}

export interface WriteAccess<Guild extends GuildAccess> {
  readonly caller: Caller;
  readonly guild: Guild;
  readonly authorize: AuthorizeGuild<Guild>;
}

/** Maximum authorizations of one write: each may expire while it waits for other writes. */
const MAX_AUTHORIZATIONS = 4;

/**
 * Runs a write whose permission holds at the moment of the commit. The caller is authorized again when the check of the
 * token has expired by then, or when the body took longer than a second.
 * @param write throws WritePermissionExpiredError without writing when the permission has expired
 * @throws ProblemError the refusal of `authorize`, invalid-token, discord-unavailable, and the errors of `write`
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
  // A check that was just made is usable even if the configured lifetime of checks is very short.
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

/**
 * Returns the author, origin, reason and precondition of a change, from the caller and the request headers.
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

interface RefusedWrite {
  readonly call: Call;
  readonly guild: GuildAccess;
  readonly fields: () => readonly string[] | Promise<readonly string[]>;
  readonly options: ChangeOptions;
}

/**
 * Rethrows an error of a write. A failed If-Match with a single revision also lists the fields of the request that were
 * changed since that revision, with their changes.
 */
async function withConflicts(error: unknown, { call, guild, fields, options }: RefusedWrite): Promise<never> {
  const { ifMatch } = options.precondition ?? {};
  const tag = typeof ifMatch === 'object' && ifMatch.length === 1 ? ifMatch[0]?.value : undefined;
  const isMismatch = error instanceof ProblemError && error.slug === 'revision-mismatch';
  const known = tag === undefined ? undefined : versionIn(tag);
  if (!isMismatch || known === undefined) throw error;
  const { history } = call.services;
  // Changes since a revision of another history are not the ones that the caller missed.
  if (known.epoch !== undefined && known.epoch !== (await history.epochOf(known.revision))) throw error;
  const userId = options.actor.kind === 'user' ? options.actor.id : undefined;
  const reader = { userId, isGone: () => call.request.isGone() };
  const read = { revision: known.revision, fields: await fields() };
  const conflicts = await history.conflictsSince(guild, read, reader).catch((limit: unknown) => {
    // The precondition has failed in any case.
    if (limit instanceof ProblemError && limit.slug === 'rate-limited') throw error;
    throw limit;
  });
  throw new ProblemError(error.slug, { ...error.options, conflicts });
}

const UNKNOWN_ARRIVAL = { state: 'pending', latencyMs: null } as const;

interface AwaitedRevision {
  readonly revision: number;
  readonly isCommitted: boolean;
}

/**
 * Waits until a committed change is live, with `Prefer: wait`. Never throws: the change is committed, and an error
 * would suggest that it is not.
 */
export async function awaitArrival(
  { request, services }: Call,
  { id }: GuildAccess,
  { revision, isCommitted }: AwaitedRevision,
): Promise<Pick<Facts, 'arrival'>> {
  const waitSeconds = request.preferredWait();
  if (waitSeconds === undefined) return {};
  const committedAtMs = isCommitted ? services.monotonicMs() : undefined;
  // Sends the events of the change first: the wait cannot end before.
  await setImmediate();
  const arrival = services.arrivals.wait(id, revision, { waitMs: waitSeconds * 1_000, committedAtMs });
  return { arrival: { ...(await arrival.catch(() => UNKNOWN_ARRIVAL)), waitSeconds } };
}
