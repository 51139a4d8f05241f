import type { ManagedGuild } from './managed-guild.ts';

/** Permission to write to a guild, and until when a write may rely on it, in monotonic milliseconds. */
export interface WritePermission {
  readonly guild: ManagedGuild;
  readonly mayWriteUntilMs: number;
}

/** The permission of a write was judged too long ago. Nothing was written. */
export class WritePermissionExpiredError extends Error {
  override readonly name = 'WritePermissionExpiredError';
}
