import { and, desc, eq, gt, gte, inArray, isNull, lt, not, or, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { runSlices } from './background-slice.ts';
import type { sessions } from './postgres/schema.ts';

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

/** A table of sessions, and how its database runs queries. */
export interface SessionTable {
  readonly db: Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
  readonly sessions: typeof sessions;
  readonly find: (idHash: string) => Promise<SessionRow | undefined>;
  /** Returns the present time, in milliseconds since 1970, and some milliseconds later. */
  readonly now: (laterMs: number) => SQL<number> | number;
  readonly read: <Row>(query: PromiseLike<Row[]>) => Promise<Row[]>;
  readonly write: <Row>(query: PromiseLike<Row[]>) => Promise<Row[]>;
  /** Deletes sessions, and notifies the other processes. @returns the hashes of their ids */
  readonly end: (which: SQL | undefined) => Promise<readonly string[]>;
  /** Names this table in its rows; absent: a copy of the database has none of them. */
  readonly madeIn?: SQL<string>;
}

/** The sessions of all processes. No change of a guild waits for their writes. */
export type SessionStore = ReturnType<typeof sessionQueries>;

/** Rows of one slice: some milliseconds of the event loop on SQLite. */
const SLICE_ROWS = 500;

export const NO_LEASE = { leaseHolder: null, leaseUntil: null };

/** Returns the operations on sessions, which are the same for both databases. */
export function sessionQueries({ db, sessions, find, now, read, write, end, madeIn }: SessionTable) {
  const hash = { idHash: sessions.idHash };
  const isOfTable = madeIn && eq(sessions.madeIn, madeIn);
  type Columns = Partial<typeof sessions.$inferInsert> | { leaseUntil: SQL<number> | number };
  const update = (which: SQL | undefined, values: Columns) =>
    write(db.update(sessions).set(values).where(which).returning(hash));
  const isVersion = ({ idHash, tokensVersion }: Omit<RefreshLease, 'holder'>) =>
    and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, tokensVersion));
  return {
    insertSession: (row: SessionRow) =>
      write(
        db
          .insert(sessions)
          .values({ ...row, madeIn: madeIn ?? '' })
          .returning(hash),
      ),
    findSession: find,
    /** Returns the sessions of a person, the last used first. */
    sessionsOf: (userId: string): Promise<readonly SessionRow[]> =>
      read(
        db
          .select()
          .from(sessions)
          .where(and(eq(sessions.userId, userId), isOfTable))
          .orderBy(desc(sessions.lastUsedAt)),
      ),
    /** Returns which of some sessions are not over. */
    existingSessions(idHashes: readonly string[], { usedSince, startedSince }: SessionLimits) {
      const isWithin = and(gte(sessions.lastUsedAt, usedSince), gte(sessions.startedAt, startedSince), isOfTable);
      const named = inArray(sessions.idHash, [...idHashes]);
      return read(db.select(hash).from(sessions).where(and(named, isWithin)));
    },
    /** Notes that a session was used. One that arrives late takes no time back. */
    touchSession: (idHash: string, lastUsedAt: number) =>
      update(and(eq(sessions.idHash, idHash), lt(sessions.lastUsedAt, lastUsedAt)), { lastUsedAt }),
    /** Ends a session; with a version, unless its tokens were replaced since. @returns the hash of its id, if it has ended */
    endSession: (idHash: string, tokensVersion?: number) =>
      end(tokensVersion === undefined ? eq(sessions.idHash, idHash) : isVersion({ idHash, tokensVersion })),
    /** Ends sessions of a person: the one with this public id, or all. @returns the hashes of their ids */
    endSessionsOf: (userId: string, publicId?: string) =>
      end(and(eq(sessions.userId, userId), publicId === undefined ? undefined : eq(sessions.publicId, publicId))),
    /** Deletes, in slices, the sessions that were not used since a time, which those that are over for another reason are soon. */
    removeExpiredSessions({ usedSince }: Pick<SessionLimits, 'usedSince'>) {
      const isOld = or(lt(sessions.lastUsedAt, usedSince), isOfTable && not(isOfTable));
      const some = db.select(hash).from(sessions).where(isOld).limit(SLICE_ROWS);
      const slice = db.delete(sessions).where(inArray(sessions.idHash, some)).returning(hash);
      return runSlices(async () => (await write(slice)).length === SLICE_ROWS);
    },
    /** Takes the lease, unless another attempt holds it or has replaced the tokens. It ends by itself after `leaseMs`. */
    async takeLease(lease: RefreshLease, leaseMs: number): Promise<boolean> {
      const { leaseUntil } = sessions;
      // No lease is longer. That of a clock which was set back since would end too late.
      const isFree = or(isNull(leaseUntil), lt(leaseUntil, now(0)), gt(leaseUntil, now(leaseMs)));
      const values = { leaseHolder: lease.holder, leaseUntil: now(leaseMs) };
      return (await update(and(isVersion(lease), isFree), values)).length > 0;
    },
    releaseLease: ({ idHash, holder }: RefreshLease) =>
      update(and(eq(sessions.idHash, idHash), eq(sessions.leaseHolder, holder)), NO_LEASE),
    /** Replaces the tokens, and ends the lease. @returns whether the session still exists with the version of the lease */
    async replaceTokens(lease: RefreshLease, next: Pick<SessionRow, 'tokens' | 'tokensExpireAt'>): Promise<boolean> {
      const values = { ...next, tokensVersion: lease.tokensVersion + 1, ...NO_LEASE };
      return (await update(isVersion(lease), values)).length > 0;
    },
    /** Stores the same tokens, encrypted by another key. */
    resealTokens: ({ tokens, ...version }: Pick<SessionRow, 'idHash' | 'tokensVersion' | 'tokens'>) =>
      update(isVersion(version), { tokens }),
  };
}
