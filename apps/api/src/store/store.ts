import type { Cursor, GuildId, Shard, Snowflake } from '@guild-settings/contract';
import type { HistoryRange, LogBounds, LoggedChange } from './change.ts';
import type { ErasureKind } from './erasure/erasure-cipher.ts';
import type { DeclarationStore } from './served-declaration.ts';
import type { SessionStore } from './session-queries.ts';
import type { StoredGuild } from './stored-guild.ts';
import type { WatcherStore } from './watcher-store.ts';
import type { StoreCommand, WriteOutcome, WriteResult } from './write-command.ts';

export type { NotificationState } from '@guild-settings/runtime/postgres-notifications';
export type { Change, HistoryRange, LogBounds, LoggedChange, UnsetFields } from './change.ts';
export type { DeclarationStore, ServedDeclaration } from './served-declaration.ts';
export type { GuildEpochs, GuildState, LoggedBytes, Presence, StoredGuild } from './stored-guild.ts';
export type { RejectedChange, WatcherRow, WatcherRun, WatcherState, WatcherStore } from './watcher-store.ts';
export type {
  ApplyCommand,
  GuildErasure,
  GuildWrite,
  StoreCommand,
  WriteOutcome,
  WriteResult,
  WriteTarget,
} from './write-command.ts';

/** Entry of the feed: a guild at its newest revision, the newest change of an access list, or the erasure of a guild. */
export type FeedEntry = { readonly revision: number; readonly guild: StoredGuild } | FeedLine;

export type FeedLine = Erasure | AccessChange;

export interface AccessChange {
  readonly revision: number;
  readonly access: GuildId;
}

/** Erasure of a guild, which leaves no row. */
export interface Erasure {
  readonly revision: number;
  readonly erased: GuildId;
}

/** The options of a store's first contact with the ledger of erasures. */
export interface LedgerStart {
  /** True: a new ledger replaces one that is lost, and that of another database. */
  readonly isNewAllowed: boolean;
}

export interface KnownErasure {
  readonly revision: number;
  readonly at: number;
  readonly wasPresent: boolean;
}

export interface ReportedShard extends Shard {
  readonly at: number;
}

/** Page of the feed: changes after a revision in the order of revisions, each guild once at its newest revision. */
export interface FeedPage {
  /** Epoch that the page was read in. A restored copy of the database has another one. */
  readonly epoch: string;
  readonly entries: readonly FeedEntry[];
  /** Revision up to which this page and those before it are complete. */
  readonly upTo: number;
  readonly isLast: boolean;
}

export interface Pruned {
  readonly changes: number;
  readonly guilds: number;
}

export interface PrunedSlice extends Pruned {
  readonly isDone: boolean;
}

export interface PruneLimits {
  readonly now: number;
  /** Changes before this time are deleted, except the newest one of each guild. */
  readonly changesBefore: number;
  readonly leftBefore: number;
}

/** Record that a token of an application was accepted. Times are in milliseconds since 1970. */
export interface TokenCheckRow {
  /** SHA-256 of the token. The token itself is not stored. */
  readonly tokenHash: string;
  readonly applicationId: string;
  readonly checkedAt: number;
  readonly expiresAt: number;
}

/** Times in the database, in milliseconds since 1970; null: none yet. */
export interface TimeTraces {
  readonly retentionRanAt: number | null;
  readonly newestChangeAt: number | null;
  readonly newestReportAt: number | null;
}

export interface PoolLoad {
  readonly maxConnections: number;
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface StoreLoad {
  readonly waitingWrites: number;
  readonly pool?: PoolLoad;
}

/**
 * Storage of guilds and their change log. Adapters know SQL and none of the service's rules. All of them pass one
 * behaviour suite.
 *
 * A write, its change and its revision are one transaction, durable when the promise resolves. Revisions come from one
 * counter advanced inside it, so they are gapless and in commit order.
 *
 * `Command` is what {@link write} accepts, interpreted by the {@link ApplyCommand} that the store was opened with. A plain
 * `Store` accepts none: it is for readers.
 */
export interface Store<Command extends StoreCommand = never> extends WatcherStore, DeclarationStore, SessionStore {
  /** Returns a guild; null: nothing is stored. Sees every write that resolved before, by any process. Called once for each request. */
  read(guildId: GuildId): Promise<StoredGuild | null>;
  /**
   * Applies a command to all of its guilds in one transaction, each change under a revision of its own. Rejects with what
   * {@link ApplyCommand} throws, with StoreUnavailableError when nothing was written, and with WriteUnconfirmedError when
   * the outcome is unknown.
   */
  write(command: Command): Promise<WriteResult>;
  /**
   * Applies commands in one transaction, one after another. A refused command does not affect the others. Rejects when nothing
   * was written, as {@link write} does. The caller limits the number of guilds: a transaction delays requests.
   */
  writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]>;
  /** Returns the ids of a shard's guilds that the bot has not left. Reads all guilds, in pages between which requests are handled. */
  guildsNotLeft(shard: Shard): Promise<GuildId[]>;
  reportedShards(): Promise<readonly ReportedShard[]>;
  markShardReported(shard: Shard, at: number): Promise<void>;
  /**
   * Deletes a slice of what is due: changes before `changesBefore` but the newest of each guild, and guilds that the bot left before `leftBefore` with
   * their history, for which the log keeps one line. A slice delays requests by milliseconds only. Call again until `isDone`.
   * After each slice the data is consistent.
   */
  prune(limits: PruneLimits): Promise<PrunedSlice>;
  readTimeTraces(): Promise<TimeTraces>;
  recordRetentionRun(at: number): Promise<void>;
  /** Stores a check in place of the previous one, and deletes those of two days ago or more. */
  keepTokenCheck(check: TokenCheckRow): Promise<void>;
  forgetTokenCheck(tokenHash: string): Promise<void>;
  /** Returns the newest checks of an application's tokens, a thousand at most. */
  readTokenChecks(applicationId: string): Promise<readonly TokenCheckRow[]>;
  readHistory(range: HistoryRange): Promise<readonly LoggedChange[]>;
  readLogBounds(): Promise<LogBounds>;
  /** Returns the newest erasure of a guild; null: none is known. Changes up to its revision are not part of a history. */
  readErasure(guildId: GuildId): Promise<KnownErasure | null>;
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
  /**
   * Returns the guilds whose newest revision is above a revision, and the erasures and changes of access lists after it, at most
   * `limit` of guilds and of the others. The page is one snapshot.
   */
  readFeed(after: number, limit: number): Promise<FeedPage>;
  /** Returns the mark of the epoch in which a revision was made. */
  epochOf(revision: number): Promise<string>;
  /** Returns whether the feed can continue after a cursor: it is of this history, and the log reaches back to it. */
  canResume(cursor: Cursor): Promise<boolean>;
  /**
   * Resolves when the store can be read. Reads these guilds and a few others, each by its key and by the index of revisions.
   * Many calls together read all guilds.
   */
  probeRead(guildIds: readonly GuildId[]): Promise<void>;
  /** Resolves when the store can be written: a transaction that changes nothing was flushed to the disk. */
  probeWrite(): Promise<void>;
  load(): StoreLoad;
  close(): Promise<void>;
}

export const EARLIER_DATABASE_REMEDY =
  'Export its guilds with that version (`export --all`), start this one on a new database, and import them there.';

/** The store did not respond, or could not write. Nothing was changed. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The connection was lost during a write, and the outcome could not be determined in time. */
export class WriteUnconfirmedError extends Error {
  override readonly name = 'WriteUnconfirmedError';
}
