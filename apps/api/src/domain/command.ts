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
  /** Settings to set, each by one of its names; null: back to the default. Omitted settings stay; arrays are replaced whole. */
  readonly patch: FieldPatch;
  readonly mayReserved?: boolean;
  /** The names of the way to the settings in the request, for the places of problems. */
  readonly settingsAt?: readonly string[];
  readonly feature?: FeatureSwitch;
  readonly change: Pick<Change, 'actor' | 'origin' | 'reason' | 'target'>;
  readonly precondition?: Precondition;
  /** Revision of the guild that the patch was computed from. At another one the command is refused, and computed again. */
  readonly computedAt?: number;
  /** Name and icon for the record in a `revision-mismatch` problem where no bot has reported them. */
  readonly profile?: GuildProfile;
  /** Shards that bots have reported. If given, a guild of these that the bot is not in is refused. */
  readonly reportedShards?: readonly Shard[];
  /** Monotonic time in milliseconds from which the caller's permission no longer covers this write. */
  readonly permittedUntilMs: number;
  /** The subjects of the access list that let the caller write, one of which must be an editor; absent: a manager. */
  readonly subjects?: readonly AccessSubject[];
  /** Bytes that settings changes of the guild may add to the change log in one UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
}

export interface SetAccess extends StoreCommand {
  readonly kind: 'set-access';
  readonly guildIds: readonly [GuildId];
  readonly entries: readonly AccessEntry[];
  /** Revision of the last change of the list that it was computed from. At another one the command is refused. */
  readonly computedAt?: number;
  readonly recordPrecondition?: Precondition;
  readonly change: UpdateSettings['change'];
  readonly precondition?: Precondition;
  readonly permittedUntilMs: number;
  /** Bytes that changes of the guild may add to the change log in one UTC day; 0: no limit. */
  readonly changeLogBytesPerDay: number;
}

export interface ReportPresence extends StoreCommand {
  readonly kind: 'report-presence';
  /**
   * Profiles of the guilds that the bot is in; null: hidden by an outage of the guild. The bot is not in those of
   * `guildIds` that are not listed here.
   */
  readonly present: Readonly<Record<GuildId, GuildProfile | null>>;
  readonly change: Pick<Change, 'at' | 'actor' | 'origin' | 'reason'>;
  /** Earliest time that a guild is recorded as left, in milliseconds since 1970. */
  readonly leftNotBefore: number;
}

export interface EraseGuild extends StoreCommand {
  readonly kind: 'erase-guild';
  readonly guildIds: readonly [GuildId];
  readonly precondition: Precondition;
  /** Name and icon for the record in a `revision-mismatch` problem where no bot has reported them. */
  readonly profile?: GuildProfile;
  /** Monotonic time in milliseconds from which the caller's permission no longer covers this write. */
  readonly permittedUntilMs: number;
}

/**
 * A change of stored guilds as plain data: JSON and `structuredClone` keep it whole. {@link applyCommand} interprets it
 * inside the write transaction.
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
