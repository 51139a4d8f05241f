import type { WatchedEvent } from '@guild-settings/client';
import type { Cursor, GuildId, RejectedRecord } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import type { Acknowledge } from './acknowledger.ts';
import type { SettingDifference } from './declaration.ts';

/** Receives each new declaration of the service, without texts; undefined: none. It may be async. */
export type DeclarationListener = (declaration: Declaration | undefined) => unknown;

/**
 * The state of the settings. `SYNCING`: no data received yet. `LIVE`: up to date. `STALE`: not up to date since some
 * time, because the connection was lost or for `reason`.
 */
export type ReplicaStatus = (
  | { readonly state: 'SYNCING' }
  | { readonly state: 'LIVE' }
  | { readonly state: 'STALE'; readonly since: Date; readonly reason?: string }
) & {
  /**
   * Records of a newer service that this version cannot read; absent if there are none. The previous settings of those
   * guilds are used.
   */
  readonly rejected?: readonly RejectedRecord[];
  /** Settings of the bot that the service declares differently; absent if there are none. */
  readonly differences?: readonly SettingDifference[];
};

/** Metrics of a replica, for health checks and monitoring. */
export interface ReplicaMetrics {
  /** Guilds with stored settings. */
  readonly guilds: number;
  /** The service's revision of the settings. */
  readonly revision: number;
  /**
   * Milliseconds since the settings were last up to date: 0 while they are, `NaN` if they never were. If the first
   * received history is held back, the time since then.
   */
  readonly ageMs: number;
  readonly reconnects: number;
  readonly reads: number;
  readonly rejected: number;
  /** Milliseconds from the last change to its acknowledgement, by the clock of the service; `NaN`: unknown. */
  readonly arrivalMs: number;
}

export interface ResetLosses {
  /** Guilds with a record from before the reset. */
  readonly held: number;
  /** Guilds of `held` without a record from after the reset. */
  readonly missing: number;
  /** Guilds with settings other than the defaults before the reset. */
  readonly customized: number;
  /** Guilds of `customized` with the defaults after the reset. */
  readonly defaulted: number;
}

/** A new history that is held back, with what it would lose. */
export interface HeldReset extends ResetLosses {
  readonly epoch: string;
}

export interface FollowOptions {
  readonly cursor: Cursor | undefined;
  /**
   * Returns the ids of this process and of its run, and the cursor up to which it has every change; called for each
   * connection.
   */
  readonly watcher: () => { readonly id: string; readonly run?: string; readonly acknowledged: Cursor | undefined };
  readonly signal: AbortSignal;
  readonly onDisconnect: (error: unknown) => void;
}

/** Streams the events after a cursor, such as the client's `watch`. */
export type Follow = (options: FollowOptions) => AsyncIterable<WatchedEvent>;

/** Options of a replica that follows any stream of events. `openReplica` creates them for a service. */
export interface ReplicaOptions<D extends Declaration | undefined = undefined> {
  /** The SQLite file for the settings. Other processes must not use it meanwhile. */
  readonly path: string;
  /**
   * `replace`, the default: a file that SQLite cannot read is moved aside, and all settings are fetched again, even if
   * the damage is found later. `throw`, for a file with your own tables: it is not touched, and the error contains the
   * remedy.
   */
  readonly damagedFile?: 'replace' | 'throw' | undefined;
  /** Called after a damaged file was moved aside, with its new path. */
  readonly onReplaced?: (movedTo: string) => void;
  readonly follow: Follow;
  /**
   * The settings that the bot declares: they define the types of `custom`, and are in effect until the service has sent
   * its own. Default: the declaration of the service.
   */
  readonly settings?: D;
  /** Sends acknowledgements to the service; absent: changes are not acknowledged. */
  readonly acknowledge?: Acknowledge;
  /**
   * Identifies the set of followed guilds; `all` by default. If the file has another scope, its records are fetched
   * again.
   */
  readonly scope?: string;
  /** Returns true if a guild belongs to the scope; every guild does by default. */
  readonly isFollowed?: (guildId: GuildId) => boolean;
  /** Returns milliseconds since 1970; `Date.now` by default. */
  readonly clock?: () => number;
  /** Returns milliseconds that never decrease; `performance.now` by default. */
  readonly monotonic?: () => number;
  /** Time for which a new history without most of the guilds is held back, in milliseconds; an hour by default. */
  readonly holdMs?: number;
  /** The epoch of such a history that an operator has confirmed: it is accepted at once. */
  readonly acceptedEpoch?: string | undefined;
  /** Called once for each history that is held back. */
  readonly onHeld?: (reset: HeldReset) => void;
  /** Called once for each record that this version cannot read. */
  readonly onRejected?: (record: RejectedRecord) => void;
  /** Called when a guild was erased, after its record is deleted here: the service has also lost its name and icon. */
  readonly onRemoved?: (guildId: GuildId) => void;
  /** Called each time the connection is lost or the file cannot be written; undefined: the service ended the stream. */
  readonly onError?: (error: unknown) => void;
  readonly onListenerError?: (error: unknown) => void;
}
