import type { NotificationState } from '@guild-settings/runtime/postgres-notifications';

export const EARLIER_SESSIONS_REMEDY =
  'Set DATABASE_URL to a new one: everyone has to log in again, and nothing else is lost.';

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
  readonly tokens: string;
  readonly tokensExpireAt: number;
  /** Counts the pairs of tokens of this session. */
  readonly tokensVersion: number;
}

/** The right of one process to replace the tokens of a session. */
export interface RefreshLease {
  readonly idHash: string;
  readonly version: number;
  /** Names the attempt. */
  readonly holder: string;
}

export interface NewTokens {
  readonly tokens: string;
  readonly tokensExpireAt: number;
}

/** Sessions that were not used since the first time, or were started before the second, are over. */
export interface SessionLimits {
  readonly usedSince: number;
  readonly startedSince: number;
}

/** Receives what other processes do with sessions. */
export interface EndListener {
  readonly onEnded: (idHash: string) => void;
  readonly onMissed: () => void;
  /** Called when notifications are lost, and when they are received again: once each. */
  readonly onState: (state: NotificationState) => void;
}

/** The sessions of all processes. Methods reject while the database is unavailable. */
export interface SessionStore {
  insert(row: SessionRow): Promise<void>;
  find(idHash: string): Promise<SessionRow | null>;
  list(userId: string): Promise<SessionRow[]>;
  existing(idHashes: readonly string[], limits: SessionLimits): Promise<string[]>;
  touch(idHash: string, lastUsedAt: number): Promise<void>;
  remove(idHash: string): Promise<boolean>;
  /** Ends sessions of a user: the one with this public id, or all. @returns the hashes of their ids */
  removeOfUser(userId: string, publicId?: string): Promise<string[]>;
  removeExpired(limits: SessionLimits): Promise<void>;
  /** Takes the lease, unless another attempt holds it or has replaced the tokens. It ends by itself after `leaseMs`. */
  takeLease(lease: RefreshLease, leaseMs: number): Promise<boolean>;
  releaseLease(lease: RefreshLease): Promise<void>;
  /** Replaces the tokens, and ends the lease. @returns whether the session still exists with the version of the lease */
  replaceTokens(lease: RefreshLease, next: NewTokens): Promise<boolean>;
  reseal(idHash: string, version: number, tokens: string): Promise<void>;
  /** Rejects unless the database can be read and written. */
  check(): Promise<void>;
  /**
   * Follows the sessions that other processes end, until the store is closed. A store of one process calls nothing.
   * @throws NotificationsLostError when a database server does not notify this process
   */
  followEnds(listener: EndListener): Promise<void>;
  close(): Promise<void>;
}
