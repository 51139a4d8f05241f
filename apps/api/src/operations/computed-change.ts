import type { Difference, Guild } from '@guild-settings/contract';
import type { WritePermission } from '../auth/write-permission.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import type { GuildAtRevision } from '../domain/record.ts';
import { type GuildAccess, writeAuthorized } from './authorize.ts';
import { respondToChange } from './await-arrival.ts';
import type { Call } from './call.ts';
import { withConflicts } from './with-conflicts.ts';

/** A change that the service computes from the history, and its dry run. */
interface ComputedChange {
  readonly access: GuildAccess;
  readonly options: ChangeOptions;
  /** Returns the fields that it may set, for the conflicts of a failed If-Match. */
  readonly fields: () => readonly string[] | Promise<readonly string[]>;
  readonly isDryRun: boolean;
  readonly preview: (permission: WritePermission) => Promise<Difference>;
  readonly write: (permission: WritePermission) => Promise<GuildAtRevision>;
}

/**
 * Makes a change and returns the record, with `Prefer: wait` when it is live; or returns the difference that it would make. Both
 * name the guild's revision.
 */
export async function makeOrPreview(call: Call, change: ComputedChange): Promise<Guild | Difference> {
  const { access, options, fields, isDryRun, preview, write } = change;
  const refused = { call, guild: access.guild, fields, options };
  const run = <T>(work: (permission: WritePermission) => Promise<T>) =>
    writeAuthorized(call, access, work).catch((error: unknown) => withConflicts(error, refused));
  if (isDryRun) {
    const difference = await run(preview);
    call.response.revision = difference.revision;
    return difference;
  }
  const { guild, revision } = await run(write);
  await respondToChange(call, access, revision);
  return guild;
}
