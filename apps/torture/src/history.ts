export interface Seen {
  readonly revision: number;
  readonly prefix: string;
  readonly channel: string;
}

export type Transport = 'rest' | 'trpc';

export type Outcome =
  | { readonly kind: 'ok'; readonly seen: Seen }
  /** The service responded that nothing was changed. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * The kind of a request: `switch` enables or disables one feature, `undo` and `restore` restore settings, `erase`
 * erases the guild with its history.
 */
export type OperationKind = 'read' | 'write' | 'switch' | 'undo' | 'restore' | 'erase';

export interface FeatureSwitch {
  readonly name: string;
  readonly isEnabled: boolean;
}

/** A request to the service with its outcome. Times are milliseconds of the harness's clock. */
export interface Operation {
  readonly kind: OperationKind;
  readonly guild: string;
  readonly transport: Transport;
  readonly process: number;
  readonly start: number;
  readonly end: number;
  /** The unique reason of a change. A write also sets prefix and announcement channel to it. */
  readonly mark?: string;
  readonly target?: number;
  readonly feature?: FeatureSwitch;
  /** The revision of a conditional write; absent: unconditional, or any revision for an erasure. */
  readonly ifMatch?: number;
  /** The revision that a watcher has received: a read must be at least as new. */
  readonly floor?: number;
  readonly outcome: Outcome;
  /** A response that the OpenAPI document does not allow. */
  readonly undocumented?: string;
}

export interface LogEntry {
  readonly revision: number;
  readonly guild: string;
  readonly origin: string;
  /** The mark of the operation that made the change; null: the bot made it. */
  readonly reason: string | null;
  /** The revision that an undo or a restore restored; null: neither. */
  readonly target: number | null;
  readonly before: Readonly<Record<string, unknown>>;
  /** Null: the guild was erased. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A change in a history: the prefix before and after; undefined: the change did not set it. */
export interface HistoryLine {
  readonly revision: number;
  readonly from: unknown;
  readonly to: unknown;
}

/** Some parts of the history of a guild, newest change first, read one after another by their links. */
export interface HistoryRead {
  readonly guild: string;
  readonly process: number;
  readonly start: number;
  readonly end: number;
  readonly lines: readonly HistoryLine[];
  readonly isWhole: boolean;
}

export interface PastRead {
  readonly guild: string;
  readonly process: number;
  readonly start: number;
  readonly at: number;
  /** The record; undefined: the service does not know the revision. */
  readonly seen: Seen | undefined;
}

/** A change that was answered as live, and the replicas' revisions of the guild right after the answer. */
export interface Arrived {
  readonly guild: string;
  readonly revision: number;
  /** The revision in the file of each bot's replica; undefined: no record. */
  readonly replicas: readonly (number | undefined)[];
}

export interface Snapshot {
  readonly lastRevision: number;
  /** The log reaches back to this revision; older rows are being deleted. */
  readonly oldestRevision: number;
  readonly log: readonly LogEntry[];
  readonly guilds: ReadonlyMap<string, Seen>;
}

export interface Watched {
  readonly name: string;
  readonly records: ReadonlyMap<string, Seen>;
  readonly received: readonly { readonly guild: string; readonly seen: Seen }[];
  readonly disorder: readonly string[];
  readonly repeats: readonly string[];
}

export interface History {
  readonly operations: readonly Operation[];
  readonly histories: readonly HistoryRead[];
  readonly pastReads: readonly PastRead[];
  readonly arrived: readonly Arrived[];
  /** The guilds that clients erase: a replica may have no record of them. */
  readonly erasable: ReadonlySet<string>;
  readonly snapshot: Snapshot;
  /**
   * Returns true if a revision belongs to a guild that retention had to erase, so that it may be missing in the log.
   */
  readonly mayBeGone: (revision: number) => boolean;
  readonly watched: readonly Watched[];
  /** Watchers that were not notified in time while no fault was active. */
  readonly late: readonly string[];
  readonly crashes: readonly string[];
}

/** Range of the ids of retired guilds: the bot left them long ago, and only retention changes them. */
export const FIRST_RETIRED_ID = 400_000_000_000_000_000n;
const END_ID = FIRST_RETIRED_ID + (1n << 54n);

export function isRetired(guild: string): boolean {
  const id = BigInt(guild);
  return id >= FIRST_RETIRED_ID && id < END_ID;
}
