import type { ActorKind, ChangeOrigin, Cursor, GuildId, GuildSettings, Shard } from '@guild-settings/contract';

/** Whether the bot is in a guild, as far as a bot has told. */
export type Presence = 'unknown' | 'present' | 'left';

/** What the store keeps of a guild, apart from its id and revision. */
export interface GuildState {
  /** As the bot reported it; null until a bot has. */
  readonly name: string | null;
  readonly icon: string | null;
  readonly settings: GuildSettings;
  readonly presence: Presence;
  /** When the bot was removed, in milliseconds since 1970; null while it is there. */
  readonly leftAt: number | null;
  readonly logged: LoggedBytes;
}

/** Bytes that settings changes of a guild added to the change log on one UTC day. */
export interface LoggedBytes {
  /** Days since 1970. */
  readonly day: number;
  readonly bytes: number;
}

/** A guild as of its revision. */
export interface StoredGuild extends GuildState {
  readonly id: GuildId;
  /** The revision of its last change, from 1. */
  readonly revision: number;
  /** When that was, in milliseconds since 1970. */
  readonly updatedAt: number;
}

/** What tells whether something known of a guild still holds. */
export type GuildVersion = Pick<StoredGuild, 'revision' | 'updatedAt' | 'presence'>;

/** One line of the change log, without the revision that the store gives it. */
export interface Change {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: { readonly kind: ActorKind; readonly id: string };
  readonly origin: ChangeOrigin;
  readonly reason: string | null;
  /** The changed fields only, as they were. */
  readonly before: Readonly<Record<string, unknown>>;
  /** The changed fields only, as they are now. */
  readonly after: Readonly<Record<string, unknown>>;
}

/** What to write to one guild: its whole next state, and the line for the change log. */
export interface GuildWrite {
  readonly next: GuildState;
  readonly change: Change;
}

/** The guilds that a command may write. The store reads them before it applies the command. */
export interface StoreCommand {
  readonly guildIds: readonly GuildId[];
}

/**
 * Interprets a command for one of its guilds inside the write transaction, with what is stored at that moment; null:
 * nothing. Returns null to leave the guild alone. It is synchronous, and the store calls it again when it retries a
 * transaction. What it throws rejects the write: nothing of the command is written.
 */
export type ApplyCommand<Command extends StoreCommand> = (
  command: Command,
  stored: StoredGuild | null,
  guildId: GuildId,
) => GuildWrite | null;

/** Result of a write: what is stored now, in the order of the command's guild ids. */
export interface WriteResult {
  readonly guilds: readonly (StoredGuild | null)[];
  /** How many guilds were written. */
  readonly written: number;
  /** The newest revision after the transaction. */
  readonly revision: number;
}

/** Something that happened to a guild: its whole record as of a revision, or that it was erased. */
export type FeedEntry = { readonly revision: number; readonly guild: StoredGuild } | Erasure;

/** That a guild was erased: it leaves no row. */
export interface Erasure {
  readonly revision: number;
  readonly erased: GuildId;
}

/** What happened after a revision, in the order of revisions, each guild once, as it is now. */
export interface FeedPage {
  /** Names the history that this was read from: every opening of a database has its own, so that a restored copy shows. */
  readonly epoch: string;
  readonly entries: readonly FeedEntry[];
  /** Everything up to here has been told with this page. */
  readonly upTo: number;
  /** Whether nothing more had happened when the page was read. */
  readonly isLast: boolean;
}

/** What was thrown away. */
export interface Pruned {
  readonly changes: number;
  readonly guilds: number;
}

/** What one slice of {@link Store.prune} threw away, and whether nothing is left to throw away. */
export interface PrunedSlice extends Pruned {
  readonly isDone: boolean;
}

/** What {@link Store.prune} throws away. Times are in milliseconds since 1970. */
export interface PruneLimits {
  readonly now: number;
  /** Changes from before this time go. */
  readonly changesBefore: number;
  /** Guilds that the bot left before this time go. */
  readonly leftBefore: number;
}

/** That a token of an application was found good. Times are in milliseconds since 1970. */
export interface TokenCheckRow {
  /** SHA-256 of the token: the token itself is not stored. */
  readonly tokenHash: string;
  readonly applicationId: string;
  readonly checkedAt: number;
  readonly expiresAt: number;
}

/** Times that the database holds, in milliseconds since 1970; null: none yet. */
export interface TimeTraces {
  /** When retention last ran by a plausible clock. */
  readonly retentionRanAt: number | null;
  /** When the newest change was made. */
  readonly newestChangeAt: number | null;
  /** When a shard last reported its guilds. */
  readonly newestReportAt: number | null;
}

/**
 * Where guilds and their change log are kept. Adapters know SQL and no rule of the service; every adapter passes the
 * same behaviour suite.
 *
 * A write, its change and its revision are one transaction, durable when the promise resolves. Revisions come from one
 * counter advanced inside it, so they are gapless and in commit order.
 *
 * `Command` is what {@link write} accepts, interpreted by the {@link ApplyCommand} that the store was opened with. A plain
 * `Store` accepts none: it is for readers.
 */
export interface Store<Command extends StoreCommand = never> {
  /** A guild, or null when nothing is stored of it. Sees every write that was acknowledged before. */
  read(guildId: GuildId): Promise<StoredGuild | null>;
  /** The version of what {@link read} would give, at less cost. */
  readVersion(guildId: GuildId): Promise<GuildVersion | null>;
  /**
   * Applies a command to all of its guilds in one transaction, each change under a revision of its own. Rejects with what
   * {@link ApplyCommand} throws, with StoreUnavailableError when nothing was written, and with WriteUnconfirmedError when
   * the outcome is unknown.
   */
  write(command: Command): Promise<WriteResult>;
  /**
   * Returns the ids of a shard's guilds that the bot is in, or that no bot has reported. Its cost grows with the shard's
   * guilds, not with all: they are listed for each shard count in use. The first call for a shard count makes the list.
   */
  guildsNotLeft(shard: Shard): Promise<GuildId[]>;
  /** The shards whose guild lists have ever been reported. */
  reportedShards(): Promise<readonly Shard[]>;
  /** Remembers that a shard's guild list has been reported. */
  markShardReported(shard: Shard, at: number): Promise<void>;
  /**
   * Throws away a slice of what is due: changes from before `changesBefore`, and the guilds that the bot left before
   * `leftBefore` with their history; the log keeps one line that says so. A slice is short, so that requests wait for
   * milliseconds only. Call again until `isDone`; a slice that was never followed by another leaves nothing half visible.
   */
  prune(limits: PruneLimits): Promise<PrunedSlice>;
  /** Returns the times by which a clock is judged. */
  readTimeTraces(): Promise<TimeTraces>;
  /** Records when retention last ran by a plausible clock, in milliseconds since 1970. */
  recordRetentionRun(at: number): Promise<void>;
  /** Stores a check in place of the one before, and drops those of two days ago or more. */
  keepTokenCheck(check: TokenCheckRow): Promise<void>;
  /** Deletes the check of a token that turned out to be revoked. */
  forgetTokenCheck(tokenHash: string): Promise<void>;
  /** Returns the newest checks of an application's tokens, a thousand at most. */
  readTokenChecks(applicationId: string): Promise<readonly TokenCheckRow[]>;
  /**
   * What happened after a revision: the guilds whose newest revision is above it, and erasures, at most `limit` of each.
   * One snapshot: what was committed later comes with a later page.
   */
  readFeed(after: number, limit: number): Promise<FeedPage>;
  /** Whether all that happened after a cursor can still be told, and it is of this history. */
  canResume(cursor: Cursor): Promise<boolean>;
  /**
   * Resolves when the store can be read: these guilds, and a few more in turn, each by its key and by the index of
   * revisions. Over many calls all guilds are read.
   */
  probeRead(guildIds: readonly GuildId[]): Promise<void>;
  /** Resolves when the store can be written: a transaction that changes nothing is on the disk. */
  probeWrite(): Promise<void>;
  close(): Promise<void>;
}

/** The store does not answer, or could not write; nothing was changed. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The store was lost while it wrote, and could not be asked in time whether it had. */
export class WriteUnconfirmedError extends Error {
  override readonly name = 'WriteUnconfirmedError';
}
