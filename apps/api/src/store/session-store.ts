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

/** The right of one attempt, of all in all processes, to replace the tokens of a session. */
export interface RefreshLease {
  readonly idHash: string;
  readonly version: number;
  /** Names the attempt. */
  readonly holder: string;
}

/** Sessions that were not used since the first time, or were started before the second, are over. */
export interface SessionLimits {
  readonly usedSince: number;
  readonly startedSince: number;
}

/** The sessions of all processes. No change of a guild waits for their writes. */
export interface SessionStore {
  insertSession(row: SessionRow): Promise<void>;
  findSession(idHash: string): Promise<SessionRow | null>;
  /** Returns the sessions of a person, the last used first. */
  sessionsOf(userId: string): Promise<readonly SessionRow[]>;
  existingSessions(idHashes: readonly string[], limits: SessionLimits): Promise<readonly string[]>;
  touchSession(idHash: string, lastUsedAt: number): Promise<void>;
  endSession(idHash: string): Promise<void>;
  /** Ends sessions of a person: the one with this public id, or all. @returns the hashes of their ids */
  endSessionsOf(userId: string, publicId?: string): Promise<readonly string[]>;
  removeExpiredSessions(limits: SessionLimits): Promise<void>;
  /** Takes the lease, unless another attempt holds it or has replaced the tokens. It ends by itself after `leaseMs`. */
  takeLease(lease: RefreshLease, leaseMs: number): Promise<boolean>;
  releaseLease(lease: RefreshLease): Promise<void>;
  /** Replaces the tokens, and ends the lease. @returns whether the session still exists with the version of the lease */
  replaceTokens(lease: RefreshLease, next: Pick<SessionRow, 'tokens' | 'tokensExpireAt'>): Promise<boolean>;
  /** Stores the same tokens, encrypted by another key. */
  resealTokens(lease: Omit<RefreshLease, 'holder'>, tokens: string): Promise<void>;
}
