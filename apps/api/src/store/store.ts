import type { GuildId, Shard, Snowflake } from '@guild-settings/contract';
import type { FeedStore, GuildStore, HistoryStore, StoreCommand } from './guild-store.ts';

/**
 * Storage of the service, by subject. Adapters know SQL and none of the service's rules. All of them pass one behaviour suite.
 * A part of the service takes the ports that it needs.
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
  /** Returns the ids of a shard's guilds that the bot has not left. Reads all guilds, in pages between which requests are handled. */
  guildsNotLeft(shard: Shard): Promise<GuildId[]>;
  reportedShards(): Promise<readonly ReportedShard[]>;
  markShardReported(shard: Shard, at: number): Promise<void>;
}

export interface ReportedShard extends Shard {
  readonly at: number;
}

export interface RetentionStore {
  /**
   * Deletes a slice of what is due: changes before `changesBefore` but the newest of each guild, and guilds that the bot left before `leftBefore` with
   * their history, for which the log keeps one line. A slice delays requests by milliseconds only. Call again until `isDone`.
   * After each slice the data is consistent.
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
   * Records that a person's id is to be erased from all changes until now, unless they have changed nothing since the last such
   * request. Finds their changes by an index.
   * @param requireAllowed called with the time of the last request before another one is recorded; throws to refuse it
   * @returns whether a request is recorded; false: the person is no author, and nothing is written
   */
  forget(personId: Snowflake, at: number, requireAllowed?: (lastAt: number) => void): Promise<boolean>;
  /**
   * Erases again what the ledger of erasures has and the database does not, because it is an older copy, and completes the
   * ledger with what it lacks. Called before the store is used.
   * @param start present in the first call of a process
   * @returns number of erasures that the database did not have
   * @throws StoreUnavailableError when the ledger cannot be used, or does not have what the database has seen
   */
  applyLedger(start?: LedgerStart): Promise<number>;
  countErasures(): Promise<number>;
  /**
   * Does the rest of the work of the erasures that were committed before, in slices: deletes history, and the ids of people.
   * Calls of one process share it. What a process that ends leaves undone is done by the next call of any process.
   */
  finishErasures(kind: ErasureKind): Promise<void>;
}

export type ErasureKind = 'guild' | 'person';

export interface LedgerStart {
  /** True: a new ledger replaces one that is lost, and that of another database. */
  readonly isNewAllowed: boolean;
}

export interface WatcherStore {
  /** True: other processes may use the same database. */
  readonly isShared: boolean;
  readWatchers(after: number): Promise<readonly WatcherRow[]>;
  /** Stores a watcher as connected, without a position. Returns the number of its registration, greater than all before. */
  registerWatcher(watcher: Pick<WatcherRow, 'id' | 'name' | 'shards'>, run: string | undefined): Promise<number>;
  /** Stores states of watchers, but none of an earlier registration than the last. */
  updateWatchers(states: readonly WatcherState[]): Promise<void>;
  touchWatchers(ids: readonly string[]): Promise<void>;
  /** Deletes watchers, but none that was marked as connected within a time. */
  deleteWatchers(ids: readonly string[], unseenForMs: number): Promise<void>;
}

export interface WatcherState {
  readonly id: string;
  readonly registration: number;
  /** The cursor up to which it has acknowledged, except the rejected changes; an empty epoch: nothing. */
  readonly epoch: string;
  readonly revision: number;
  readonly rejected: readonly RejectedChange[];
  /** True: the registration has no stream any more. */
  readonly hasEnded: boolean;
  readonly hasLeft: boolean;
}

export interface RejectedChange {
  readonly guild: GuildId;
  readonly revision: number;
}

/** The run of a process that registered. It counts with that registration alone: services of 1.0.0 do not replace it. */
export interface WatcherRun {
  readonly registration: number;
  readonly id: string;
  readonly hasLeft: boolean;
}

export interface WatcherRow extends Omit<WatcherState, 'hasEnded' | 'hasLeft'> {
  readonly name: string;
  readonly shards: readonly Shard[];
  readonly run: WatcherRun | null;
  /** A number that grows with each change of any row. */
  readonly version: number;
  readonly isConnected: boolean;
  readonly seenAgoMs: number;
}

/** The sessions of all processes. No change of a guild waits for their writes. */
export interface SessionStore {
  insertSession(row: SessionRow): Promise<unknown>;
  findSession(idHash: string): Promise<SessionRow | undefined>;
  /** Returns the sessions of a person, the last used first. */
  sessionsOf(userId: string): Promise<readonly SessionRow[]>;
  /** Returns which of some sessions are not over. */
  existingSessions(idHashes: readonly string[], limits: SessionLimits): Promise<readonly Pick<SessionRow, 'idHash'>[]>;
  /** Notes that a session was used. One that arrives late takes no time back. */
  touchSession(idHash: string, lastUsedAt: number): Promise<unknown>;
  /** Ends a session; with a version, unless its tokens were replaced since. @returns the hash of its id, if it has ended */
  endSession(idHash: string, tokensVersion?: number): Promise<readonly string[]>;
  /** Ends sessions of a person: the one with this public id, or all. @returns the hashes of their ids */
  endSessionsOf(userId: string, publicId?: string): Promise<readonly string[]>;
  /** Deletes, in slices, the sessions that were not used since a time, which those that are over for another reason are soon. */
  removeExpiredSessions(limits: Pick<SessionLimits, 'usedSince'>): Promise<void>;
  /** Takes the lease, unless another attempt holds it or has replaced the tokens. It ends by itself after `leaseMs`. */
  takeLease(lease: RefreshLease, leaseMs: number): Promise<boolean>;
  releaseLease(lease: RefreshLease): Promise<unknown>;
  /** Replaces the tokens, and ends the lease. @returns whether the session still exists with the version of the lease */
  replaceTokens(lease: RefreshLease, next: Pick<SessionRow, 'tokens' | 'tokensExpireAt'>): Promise<boolean>;
  /** Stores the same tokens, encrypted by another key. */
  resealTokens(tokens: Pick<SessionRow, 'idHash' | 'tokensVersion' | 'tokens'>): Promise<unknown>;
}

/** A session as the database has it. Times are in milliseconds since 1970. */
export interface SessionRow {
  /** SHA-256 of the id that the browser has. */
  readonly idHash: string;
  /** Names the session in the list of the person's sessions. It opens nothing. */
  readonly publicId: string;
  readonly userId: string;
  readonly userName: string;
  readonly userAvatar: string | null;
  readonly locale: string | null;
  /** The browser and the system, as the request for the login named them. */
  readonly device: string;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  /** The tokens of Discord, encrypted. */
  readonly tokens: string;
  readonly tokensExpireAt: number;
  /** Counts the pairs of tokens of this session. */
  readonly tokensVersion: number;
}

/** The right of one attempt, of all in all processes, to replace the tokens of a session. `holder` names the attempt. */
export interface RefreshLease extends Pick<SessionRow, 'idHash' | 'tokensVersion'> {
  readonly holder: string;
}

/** Sessions that were not used since the first time, or were started before the second, are over. */
export interface SessionLimits {
  readonly usedSince: number;
  readonly startedSince: number;
}

/** Checks of the application's tokens, by every process. */
export interface TokenCheckStore {
  /** Stores a check in place of the previous one, and deletes those of two days ago or more. */
  keepTokenCheck(check: TokenCheckRow): Promise<void>;
  forgetTokenCheck(tokenHash: string): Promise<void>;
  /** Returns the newest checks of an application's tokens, a thousand at most. */
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

/** Time after which checks are deleted: longer than any configuration uses one. */
export const TOKEN_CHECK_TTL_MS = 2 * 86_400_000;

/** Maximum number of checks that are read: one for each process of the bots of the last two days. */
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
  /** The later names of the renamed ones, in their order, by field; absent: there are none. 1.0.0 ignores it. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

export interface ProbedStore {
  /**
   * Resolves when the store can be read. Reads these guilds and a few others, each by its key and by the index of revisions.
   * Many calls together read all guilds.
   */
  probeRead(guildIds: readonly GuildId[]): Promise<void>;
  /** Resolves when the store can be written: a transaction that changes nothing was flushed to the disk. */
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

/** Thrown when PostgreSQL accepts LISTEN and a notification does not arrive. */
export class NotificationsLostError extends Error {
  override readonly name = 'NotificationsLostError';

  constructor(timeoutMs: number) {
    super(
      `PostgreSQL accepts LISTEN, but a notification did not arrive within ${timeoutMs / 1_000} s. PgBouncer in transaction mode drops them: set DATABASE_URL to the address of PostgreSQL itself, or of a pool in session mode.`,
    );
  }
}
