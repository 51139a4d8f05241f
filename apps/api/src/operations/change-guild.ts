import type { Guild } from '@guild-settings/contract';
import type { WritePermission } from '../auth/write-permission.ts';
import type { ChangeOptions, GuildAtRevision } from '../domain/guild-service.ts';
import { type GuildAccess, writeAuthorized } from './authorize.ts';
import { awaitArrival } from './await-arrival.ts';
import type { Call } from './call.ts';
import { withConflicts } from './with-conflicts.ts';

/** A change of a guild's settings. */
interface GuildChange {
  readonly access: GuildAccess;
  readonly options: ChangeOptions;
  /** Returns the fields that it sets, for the conflicts of a failed If-Match. */
  readonly fields: () => readonly string[];
  readonly write: (permission: WritePermission) => Promise<GuildAtRevision>;
}

/** Makes a change and returns the record after it, when it is committed; with `Prefer: wait`, when it is live. */
export async function changeGuild(call: Call, { access, options, fields, write }: GuildChange): Promise<Guild> {
  const { guild: managed } = access;
  const { guild, revision } = await writeAuthorized(call, access, write).catch((error: unknown) =>
    withConflicts(error, { call, guild: managed, fields, options }),
  );
  call.response.revision = revision;
  const waitSeconds = call.request.preferredWait();
  if (waitSeconds !== undefined) await awaitArrival(call, managed, { revision, waitSeconds });
  return guild;
}
