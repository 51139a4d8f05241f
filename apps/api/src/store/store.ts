import type { GuildId, Shard, Snowflake } from '@guild-settings/contract';
import type { FeedStore, GuildStore, HistoryStore, StoreCommand } from './guild-store.ts';

/**
 * Storage of the service, by subject. Adapters contain SQL and none of the service's rules; all of them pass one
 * behaviour suite. A part of the service depends on the ports that it needs.
 */
export interface Store<Command extends StoreCommand = never>
  extends GuildStore<Command>,
    HistoryStore,
    FeedStore,
    PresenceStore,
    RetentionStore,
    ErasureStore,
    WatcherStore,
    SessionStore,
    TokenCheckStore,
    DeclarationStore,
    ProbedStore {
  close(): Promise<void>;
}

export interface PresenceStore {
  /**
   * Returns the ids of a shard's guilds that the bot has not left. Reads all guilds, in pages between which requests
   * are handled.
   */
  guildsNotLeft(shard: Shard): Promise<GuildId[]>;
  reportedShards(): Promise<readonly ReportedShard[]>;
  markShardReported(shard: Shard, at: number): Promise<void>;
}

export interface ReportedShard extends Shard {
  readonly at: number;
}

export interface RetentionStore {
  /**
   * Deletes a slice of expired data: changes before `changesBefore` except the newest of each guild, and guilds that
   * the bot left before `leftBefore` with their history, of which the log keeps one line. A slice delays requests by
   * milliseconds only. Call again until `isDone`. The data is consistent after each slice.
   */
  prune(limits: PruneLimits): Promise<PrunedSlice>;
  readTimeTraces(): Promise<TimeTraces>;
  recordRetentionRun(at: number): Promise<void>;
}

export interface PruneLimits {
  readonly now: number;
  /** Changes before this time are deleted, except the newest one of each guild. */
  readonly changesBefore: number;
  readonly leftBefore: number;
}

export interface PrunedSlice extends Pruned {
  readonly isDone: boolean;
}

export interface Pruned {
  readonly changes: number;
  readonly guilds: number;
}

/** Times in the database, in milliseconds since 1970; null: none yet. */
export interface TimeTraces {
  readonly retentionRanAt: number | null;
  readonly newestChangeAt: number | null;
  readonly newestReportAt: number | null;
}

export interface ErasureStore {
  /**
   * Records a request to erase a person's id from all changes until now, unless they have changed nothing since the
   * last request. Finds their changes by an index.
   * @param requireAllowed called with the time of the last request before another one is recorded; throws to refuse it
   * @returns true if a request is recorded; false: the person is not an author, and nothing is written
   */
  forget(personId: Snowflake, at: number, requireAllowed?: (lastAt: number) => void): Promise<boolean>;
  /**
   * Repeats erasures that are in the ledger and missing in the database, because it is an older copy, and adds missing
   * erasures to the ledger. Called before the store is used.
   * @param start present in the first call of a process
   * @returns number of erasures that were missing in the database
   * @throws StoreUnavailableError when the ledger cannot be used, or lacks lines that the database has seen
   */
  applyLedger(start?: LedgerStart): Promise<number>;
  countErasures(): Promise<number>;
  /**
   * Completes committed erasures, in slices: deletes history, and the ids of people. Calls of one process share the
   * work. If a process ends meanwhile, the next call of any process continues.
   */
  finishErasures(kind: ErasureKind): Promise<void>;
}

export type ErasureKind = 'guild' | 'person';

export interface LedgerStart {
  /** True: a new ledger replaces a lost one, and one of another database. */
  readonly isNewAllowed: boolean;
}

export interface WatcherStore {
  /** True: other processes may use the same database. */
  readonly isShared: boolean;
  readWatchers(after: number): Promise<readonly WatcherRow[]>;
  /** Stores a watcher as connected, without a position. Returns the number of its registration, greater than all before. */
  registerWatcher(watcher: Pick<WatcherRow, 'id' | 'name' | 'shards'>, run: string | undefined): Promise<number>;
  /** Stores states of watchers, except for states of an earlier registration than the last. */
  updateWatchers(states: readonly WatcherState[]): Promise<void>;
  touchWatchers(ids: readonly string[]): Promise<void>;
  /** Deletes watchers that were not marked as connected within a time. */
  deleteWatchers(ids: readonly string[], unseenForMs: number): Promise<void>;
}

export interface WatcherState {
  readonly id: string;
  readonly registration: number;
  /** The epoch of the acknowledged cursor; empty: nothing was acknowledged. Rejected changes are not acknowledged. */
  readonly epoch: string;
  readonly revision: number;
  readonly rejected: readonly RejectedChange[];
  /** True: the registration has no stream left. */
  readonly hasEnded: boolean;
  readonly hasLeft: boolean;
}

export interface RejectedChange {
  readonly guild: GuildId;
  readonly revision: number;
}

/**
 * The run of a process that registered. It is only valid for that registration, because a 1.0.0 service does not
 * replace it.
 */
export interface WatcherRun {
  readonly registration: number;
  readonly id: string;
  readonly hasLeft: boolean;
}

export interface WatcherRow extends Omit<WatcherState, 'hasEnded' | 'hasLeft'> {
  readonly name: string;
  readonly shards: readonly Shard[];
  readonly run: WatcherRun | null;
  /** A number that increases with each change of any row. */
  readonly version: number;
  readonly isConnected: boolean;
  readonly seenAgoMs: number;
}

/** The sessions of all processes. Changes of guilds do not wait for their writes. */
export interface SessionStore {
  insertSession(row: SessionRow): Promise<unknown>;
  findSession(idHash: string): Promise<SessionRow | undefined>;
  /** Returns the sessions of a person, most recently used first. */
  sessionsOf(userId: string): Promise<readonly SessionRow[]>;
  /** Returns those of the given sessions that are not over. */
  existingSessions(idHashes: readonly string[], limits: SessionLimits): Promise<readonly Pick<SessionRow, 'idHash'>[]>;
  /** Records that a session was used. A late call does not set the time back. */
  touchSession(idHash: string, lastUsedAt: number): Promise<unknown>;
  /** Ends a session; with a version, unless its tokens were replaced since. @returns the hash of its id, if it has ended */
  endSession(idHash: string, tokensVersion?: number): Promise<readonly string[]>;
  /** Ends sessions of a person: the one with this public id, or all. @returns the hashes of their ids */
  endSessionsOf(userId: string, publicId?: string): Promise<readonly string[]>;
  /**
   * Deletes, in slices, the sessions that were not used since a time. Sessions that are over for another reason soon
   * reach it, too.
   */
  removeExpiredSessions(limits: Pick<SessionLimits, 'usedSince'>): Promise<void>;
  /** Takes the lease, unless another attempt holds it or has replaced the tokens. It expires after `leaseMs`. */
  takeLease(lease: RefreshLease, leaseMs: number): Promise<boolean>;
  releaseLease(lease: RefreshLease): Promise<unknown>;
  /**
   * Replaces the tokens, and ends the lease. @returns true if the session still exists with the version of the lease
   */
  replaceTokens(lease: RefreshLease, next: Pick<SessionRow, 'tokens' | 'tokensExpireAt'>): Promise<boolean>;
  /** Stores the same tokens, encrypted with another key. */
  resealTokens(tokens: Pick<SessionRow, 'idHash' | 'tokensVersion' | 'tokens'>): Promise<unknown>;
}

/** A session as stored in the database. Times are in milliseconds since 1970. */
export interface SessionRow {
  /** SHA-256 of the id in the browser's cookie. */
  readonly idHash: string;
  /** Identifies the session in the list of the person's sessions. It grants no access. */
  readonly publicId: string;
  readonly userId: string;
  readonly userName: string;
  readonly userAvatar: string | null;
  readonly locale: string | null;
  /** The browser and operating system, as stated by the login request. */
  readonly device: string;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  /** Discord's tokens, encrypted. */
  readonly tokens: string;
  readonly tokensExpireAt: number;
  /** Counts the token pairs of this session. */
  readonly tokensVersion: number;
}

/**
 * The exclusive right of one attempt, among all processes, to replace the tokens of a session. `holder` identifies the
 * attempt.
 */
export interface RefreshLease extends Pick<SessionRow, 'idHash' | 'tokensVersion'> {
  readonly holder: string;
}

/** Sessions that were not used since the first time, or were started before the second, are over. */
export interface SessionLimits {
  readonly usedSince: number;
  readonly startedSince: number;
}

/** Checks of the application's tokens, shared by all processes. */
export interface TokenCheckStore {
  /** Stores a check in place of the previous one, and deletes those that are two days old. */
  keepTokenCheck(check: TokenCheckRow): Promise<void>;
  forgetTokenCheck(tokenHash: string): Promise<void>;
  /** Returns the newest checks of an application's tokens, at most a thousand. */
  readTokenChecks(applicationId: string): Promise<readonly TokenCheckRow[]>;
}

/** Record that a token of an application was accepted. Times are in milliseconds since 1970. */
export interface TokenCheckRow {
  /** SHA-256 of the token. The token itself is not stored. */
  readonly tokenHash: string;
  readonly applicationId: string;
  readonly checkedAt: number;
  readonly expiresAt: number;
}

/** Time after which checks are deleted: longer than any configuration uses them. */
export const TOKEN_CHECK_TTL_MS = 2 * 86_400_000;

/** Maximum number of checks that are read: one per bot process of the last two days. */
export const MAX_TOKEN_CHECKS = 1_000;

export interface DeclarationStore {
  readDeclaration(): Promise<ServedDeclaration | null>;
  recordDeclaration(declaration: ServedDeclaration): Promise<void>;
  /** Returns the number of guilds that have set each of these fields. Reads all guilds. */
  countSet(fields: readonly string[]): Promise<Readonly<Record<string, number>>>;
}

export interface ServedDeclaration {
  readonly tag: string;
  /** The kinds of all settings that were ever declared, by field: `custom.xpRate`. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The later names of renamed settings, in order, by field; absent: none. 1.0.0 ignores it. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

export interface ProbedStore {
  /**
   * Resolves when the store can be read. Reads these guilds and a few others, each by its key and by the index of
   * revisions. Repeated calls eventually read all guilds.
   */
  probeRead(guildIds: readonly GuildId[]): Promise<void>;
  /** Resolves when the store can be written: a transaction without changes was flushed to disk. */
  probeWrite(): Promise<void>;
  load(): StoreLoad;
}

export interface StoreLoad {
  readonly waitingWrites: number;
  readonly pool?: PoolLoad;
}

export interface PoolLoad {
  readonly maxConnections: number;
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The store did not respond, or could not write. Nothing was changed. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The connection was lost during a write, and the outcome could not be determined in time. */
export class WriteUnconfirmedError extends Error {
  override readonly name = 'WriteUnconfirmedError';
}

export const EARLIER_DATABASE_REMEDY =
  'Export its guilds with that version (`export --all`), start this one on a new database, and import them there.';

/** The state of the notifications of other processes' commits, with the reason of a loss. */
export type NotificationState = { readonly isLost: false } | { readonly isLost: true; readonly reason: unknown };

/** Thrown when PostgreSQL accepts LISTEN but a notification does not arrive. */
export class NotificationsLostError extends Error {
  override readonly name = 'NotificationsLostError';

  constructor(timeoutMs: number) {
    super(
      `PostgreSQL accepts LISTEN, but a notification did not arrive within ${timeoutMs / 1_000} s. PgBouncer in transaction mode drops them: set DATABASE_URL to the address of PostgreSQL itself, or of a pool in session mode.`,
    );
  }
}
