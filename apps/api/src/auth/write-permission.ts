import type { GuildAccess } from './guild-access.ts';

export interface WritePermission<Guild extends GuildAccess = GuildAccess<'edit'>> {
  readonly guild: Guild;
  readonly mayWriteUntilMs: number;
}

/** The permission of a write had expired when the write transaction began. Nothing was written. */
export class WritePermissionExpiredError extends Error {
  override readonly name = 'WritePermissionExpiredError';
}
