import type { AccessEntry, ActorKind, ChangeOrigin, Cursor, GuildId, SetValues } from '@guild-settings/contract';

/**
 * Guilds. A write, its change and its revision are one transaction, durable when the promise resolves. Revisions come
 * from one counter that is advanced inside it, so they are gapless and in commit order.
 *
 * `Command` is the type that {@link write} accepts, interpreted by the {@link ApplyCommand} that the store was opened
 * with. A plain `GuildStore` accepts none: it is for readers.
 */
export interface GuildStore<Command extends StoreCommand = never> {
  /**
   * Returns a guild; null: nothing is stored. Includes every write that resolved before, by any process. Called once
   * per request.
   */
  read(guildId: GuildId): Promise<StoredGuild | null>;
  /**
   * Applies a command to all of its guilds in one transaction, each change under its own revision. Rejects with the
   * errors of {@link ApplyCommand}, with StoreUnavailableError when nothing was written, and with WriteUnconfirmedError
   * when the outcome is unknown.
   */
  write(command: Command): Promise<WriteResult>;
  /**
   * Applies commands in one transaction, one after another. A refused command does not affect the others. Rejects when nothing
   * was written, as {@link write} does. The caller limits the number of guilds: a transaction delays requests.
   */
  writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]>;
}

/** A stored guild with the revision of its last change other than of its access list. */
export interface StoredGuild extends GuildState {
  readonly id: GuildId;
  /** Revision of the last change; 0: only the access list was changed. */
  readonly revision: number;
  /** Revision of the last change of the access list; 0: never changed. */
  readonly accessRevision: number;
  /** Time of the last change, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** The marks of the epochs in which the two revisions were made; empty for revision 0. */
  readonly epochs: GuildEpochs;
}

export interface GuildState {
  readonly name: string | null;
  readonly icon: string | null;
  /** The set values, including names that this process does not know. Other settings follow their defaults. */
  readonly settings: SetValues;
  /** Entries of the access list; null: it was never changed. */
  readonly access: readonly AccessEntry[] | null;
  readonly presence: Presence;
  /** The time when the bot was removed, in milliseconds since 1970; null: it was not removed. */
  readonly leftAt: number | null;
  readonly logged: LoggedBytes;
}

/** The presence of the bot in a guild; `unknown`: no bot has reported it. */
export type Presence = 'unknown' | 'present' | 'left';

/** Bytes that settings changes of a guild added to the change log on one UTC day. */
export interface LoggedBytes {
  readonly day: number;
  readonly bytes: number;
}

export interface GuildEpochs {
  readonly record: string;
  readonly access: string;
}

export interface Change {
  readonly at: number;
  readonly actor: { readonly kind: ActorKind; readonly id: string };
  readonly origin: ChangeOrigin;
  readonly reason: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** The changed fields that followed their defaults; null: none, before or after. */
  readonly unset?: UnsetFields | null;
  /** The revision that an undo undoes, or that a restore restores; null: neither. */
  readonly target?: number | null;
}

/** Fields that follow their defaults, before and after a change. */
export interface UnsetFields {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LoggedChange extends Change {
  readonly revision: number;
  readonly undoneBy: number | null;
}

export interface StoreCommand {
  readonly guildIds: readonly GuildId[];
}

/**
 * Interprets a command for one of its guilds inside the write transaction. Returns null to leave the guild unchanged.
 * It is synchronous, and the store calls it again when it retries a transaction. If it throws, the write rejects with
 * the error, and nothing of the command is written.
 */
export type ApplyCommand<Command extends StoreCommand> = (
  command: Command,
  target: WriteTarget,
) => GuildWrite | GuildErasure | null;

/** A guild that a command names, inside the write transaction. */
export interface WriteTarget {
  readonly guildId: GuildId;
  readonly stored: StoredGuild | null;
  readonly wasPresent: () => boolean;
}

export interface GuildWrite {
  readonly next: GuildState;
  readonly change: Change;
  /** True: it changes the access list, and the guild keeps its revision. False unless given. */
  readonly isOfAccess?: boolean;
}

/** Erasure of a guild with its entire history, at a time in milliseconds since 1970. */
export interface GuildErasure {
  readonly erasedAt: number;
}

export interface WriteResult {
  /** The stored guilds after the transaction, in the order of the command's guild ids. */
  readonly guilds: readonly (StoredGuild | null)[];
  readonly written: number;
  readonly changes: readonly Change[];
  readonly revision: number;
}

/** Outcome of one of several commands: its result, or the error that {@link ApplyCommand} threw. */
export type WriteOutcome = { readonly result: WriteResult } | { readonly refusal: unknown };

export interface HistoryStore {
  readHistory(range: HistoryRange): Promise<readonly LoggedChange[]>;
  readLogBounds(): Promise<LogBounds>;
  /** Returns the newest erasure of a guild; null: none. Changes up to its revision are not part of the history. */
  readErasure(guildId: GuildId): Promise<KnownErasure | null>;
  /** Returns the mark of the epoch in which a revision was made. */
  epochOf(revision: number): Promise<string>;
}

/** Changes of a guild between two revisions, both exclusive. */
export interface HistoryRange {
  readonly guildId: GuildId;
  readonly after: number;
  readonly before: number;
  readonly order: 'oldest-first' | 'newest-first';
  readonly limit: number;
}

export interface LogBounds {
  readonly oldest: number;
  readonly newest: number;
}

export interface KnownErasure {
  readonly revision: number;
  readonly at: number;
  readonly wasPresent: boolean;
}

/** The changes of all guilds, in the order of revisions. */
export interface FeedStore {
  /**
   * Returns the guilds whose newest revision is after a revision, and later erasures and changes of access lists; at
   * most `limit` guilds and `limit` of the others. The page is one snapshot.
   */
  readFeed(after: number, limit: number): Promise<FeedPage>;
  /**
   * Returns true if the feed can continue after a cursor: it belongs to this history, and the log reaches back to it.
   */
  canResume(cursor: Cursor): Promise<boolean>;
  readLogBounds(): Promise<LogBounds>;
}

/** Page of the feed: changes after a revision in the order of revisions, each guild once at its newest revision. */
export interface FeedPage {
  /** Epoch in which the page was read. A restored copy of the database has another one. */
  readonly epoch: string;
  readonly entries: readonly FeedEntry[];
  /** Revision up to which this page and those before it are complete. */
  readonly upTo: number;
  readonly isLast: boolean;
}

/** Entry of the feed: a guild at its newest revision, the newest change of an access list, or the erasure of a guild. */
export type FeedEntry = { readonly revision: number; readonly guild: StoredGuild } | FeedLine;

export type FeedLine = Erasure | AccessChange;

/** Erasure of a guild, which has no row afterwards. */
export interface Erasure {
  readonly revision: number;
  readonly erased: GuildId;
}

export interface AccessChange {
  readonly revision: number;
  readonly access: GuildId;
}
