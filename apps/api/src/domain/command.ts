import type { AccessEntry, AccessSubject, FieldPatch, GuildId, GuildProfile, Shard } from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { Change, StoreCommand, WriteTarget } from '../store/guild-store.ts';
import type { Precondition, Records } from './record.ts';

/** Enables or disables one feature. The list of enabled features is computed in the write transaction. */
export interface FeatureSwitch {
  readonly name: string;
  readonly isEnabled: boolean;
}

export interface UpdateSettings extends StoreCommand {
  readonly kind: 'update-settings';
  readonly guildIds: readonly [GuildId];
  /**
   * Settings to set, each by one of its names; null: reset to the default. Omitted settings stay; arrays are replaced
   * entirely.
   */
  readonly patch: FieldPatch;
  readonly mayReserved?: boolean;
  /** The path to the settings in the request, for the paths of issues in problems. */
  readonly settingsAt?: readonly string[];
  readonly feature?: FeatureSwitch;
  readonly change: Pick<Change, 'actor' | 'origin' | 'reason' | 'target'>;
  readonly precondition?: Precondition;
  /**
   * Revision of the guild from which the patch was computed. At another revision the command is refused and computed
   * again.
   */
  readonly computedAt?: number;
  /** Name and icon for the record in a `revision-mismatch` problem if no bot has reported them. */
  readonly profile?: GuildProfile;
  /**
   * Shards that bots have reported. If given, the command is refused for guilds of these shards that the bot is not in.
   */
  readonly reportedShards?: readonly Shard[];
  /** Monotonic time in milliseconds from which the caller's permission no longer covers this write. */
  readonly permittedUntilMs: number;
  /** Subjects of the access list that the caller matches, one of which must be an editor; absent: a manager. */
  readonly subjects?: readonly AccessSubject[];
  /** Maximum bytes that settings changes of the guild may add to the change log per UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
}

export interface SetAccess extends StoreCommand {
  readonly kind: 'set-access';
  readonly guildIds: readonly [GuildId];
  readonly entries: readonly AccessEntry[];
  /** Revision of the last change of the list from which it was computed. At another revision the command is refused. */
  readonly computedAt?: number;
  readonly recordPrecondition?: Precondition;
  readonly change: UpdateSettings['change'];
  readonly precondition?: Precondition;
  readonly permittedUntilMs: number;
  /** Maximum bytes that changes of the guild may add to the change log per UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
}

export interface ReportPresence extends StoreCommand {
  readonly kind: 'report-presence';
  /**
   * Profiles of the guilds that the bot is in; null: hidden by an outage of the guild. The bot is not in the `guildIds`
   * that are not listed here.
   */
  readonly present: Readonly<Record<GuildId, GuildProfile | null>>;
  readonly change: Pick<Change, 'at' | 'actor' | 'origin' | 'reason'>;
  /** A guild is recorded as left at this time at the earliest, in milliseconds since 1970. */
  readonly leftNotBefore: number;
}

export interface EraseGuild extends StoreCommand {
  readonly kind: 'erase-guild';
  readonly guildIds: readonly [GuildId];
  readonly precondition: Precondition;
  /** Name and icon for the record in a `revision-mismatch` problem if no bot has reported them. */
  readonly profile?: GuildProfile;
  /** Monotonic time in milliseconds from which the caller's permission no longer covers this write. */
  readonly permittedUntilMs: number;
}

/**
 * A change of stored guilds as plain data, which JSON and `structuredClone` preserve. {@link applyCommand} interprets
 * it inside the write transaction.
 */
export type Command = UpdateSettings | SetAccess | ReportPresence | EraseGuild;

export interface CommandTarget extends WriteTarget {
  readonly nowMs: number;
  readonly monotonicMs: number;
  readonly records: Records;
}

export interface WritePermission<Guild extends GuildAccess = GuildAccess<'edit'>> {
  readonly guild: Guild;
  readonly mayWriteUntilMs: number;
}

/** The permission of a write had expired when the write transaction began. Nothing was written. */
export class WritePermissionExpiredError extends Error {
  override readonly name = 'WritePermissionExpiredError';
}
