import { ProblemError, versionIn } from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import type { Call } from './call.ts';

interface RefusedWrite {
  readonly call: Call;
  readonly guild: GuildAccess;
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
  const known = tag === undefined ? undefined : versionIn(tag);
  if (!isMismatch || known === undefined) throw error;
  const { history } = call.services;
  // The changes since a revision of another history are not those that the caller does not know.
  if (known.epoch !== undefined && known.epoch !== (await history.epochOf(known.revision))) throw error;
  const userId = options.actor.kind === 'user' ? options.actor.id : undefined;
  const reader = { userId, isGone: () => call.request.isGone() };
  const read = { revision: known.revision, fields: await fields() };
  const conflicts = await history.conflictsSince(guild, read, reader).catch((limit: unknown) => {
    // The condition has failed all the same.
    if (limit instanceof ProblemError && limit.slug === 'rate-limited') throw error;
    throw limit;
  });
  throw new ProblemError(error.slug, { ...error.options, conflicts });
}
