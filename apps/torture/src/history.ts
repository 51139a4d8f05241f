/** What an answer, an event or a row shows of a guild. */
export interface Seen {
  readonly revision: number;
  readonly prefix: string;
  readonly channel: string;
}

/** Which way in an operation took. */
export type Door = 'rest' | 'trpc';

/** How an operation ended, as far as its caller can tell. */
export type Outcome =
  | { readonly kind: 'ok'; readonly seen: Seen }
  /** The service said that nothing was changed. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/** Something that somebody asked of the service. Times are milliseconds of one clock, the harness's. */
export interface Operation {
  readonly kind: 'read' | 'write';
  readonly guild: string;
  readonly door: Door;
  /** Which api process was asked. */
  readonly process: number;
  readonly start: number;
  readonly end: number;
  /** What a write sets prefix and announcement channel to; no two writes are alike. */
  readonly mark?: string;
  /** The revision that a write is conditional on. */
  readonly ifMatch?: number;
  /** The revision that the caller knows of, from a watcher: what is read has to be at least as new. */
  readonly floor?: number;
  readonly outcome: Outcome;
  /** An answer that the service does not document. */
  readonly undocumented?: string;
}

/** One line of the change log. */
export interface LogEntry {
  readonly revision: number;
  readonly guild: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** What a store holds. */
export interface Snapshot {
  readonly lastRevision: number;
  /** The log reaches back to this revision; older rows are being thrown away. */
  readonly oldestRevision: number;
  readonly log: readonly LogEntry[];
  readonly guilds: ReadonlyMap<string, Seen>;
}

/** What a watcher came to, and what it ought never to have seen. */
export interface Watched {
  readonly name: string;
  readonly records: ReadonlyMap<string, Seen>;
  /** Every event that it was told, as far as it was there to note it. */
  readonly told: readonly { readonly guild: string; readonly seen: Seen }[];
  /** Revisions that went back. */
  readonly disorder: readonly string[];
  /** Events that came again. */
  readonly repeats: readonly string[];
}

/** All that the checker judges. */
export interface History {
  readonly operations: readonly Operation[];
  readonly snapshot: Snapshot;
  /** Whether a revision is of a guild that retention was due to erase, and may be gone from the log. */
  readonly mayBeGone: (revision: number) => boolean;
  readonly watched: readonly Watched[];
  /** Watchers that were not told in time when all was well. */
  readonly late: readonly string[];
  /** Processes that ended by themselves. */
  readonly crashes: readonly string[];
}
