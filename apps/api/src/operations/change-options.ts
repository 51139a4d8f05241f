import { type ChangeOrigin, ProblemError } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { Principal } from '../auth/principal.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import type { Change } from '../store/store.ts';
import type { Caller } from './authorize.ts';
import type { Call, Transport } from './call.ts';

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
  readonly guild: ManagedGuild;
  /** Returns the fields that the request sets. */
  readonly fields: () => readonly string[] | Promise<readonly string[]>;
  readonly options: ChangeOptions;
}

/**
 * Rethrows an error of a write. A failed If-Match of one revision also names the fields of the request that were changed
 * since that revision, with their changes.
 */
export async function withConflicts(error: unknown, { call, guild, fields, options }: RefusedWrite): Promise<never> {
  const { ifMatch } = options.precondition ?? {};
  const tag = typeof ifMatch === 'object' && ifMatch.length === 1 ? ifMatch[0]?.value : undefined;
  const isMismatch = error instanceof ProblemError && error.slug === 'revision-mismatch';
  if (!isMismatch || tag === undefined || !/^\d{1,15}$/.test(tag)) throw error;
  const conflicts = await call.services.history.conflictsSince(guild, Number(tag), await fields());
  throw new ProblemError(error.slug, { ...error.options, conflicts });
}
