import { and, desc, eq, gt, gte, inArray, isNull, lt, not, or, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { runSlices } from './background-slice.ts';
import type { sessions } from './postgres/schema.ts';
import type { RefreshLease, SessionLimits, SessionRow, SessionStore } from './store.ts';

export interface SessionTable {
  readonly db: Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
  readonly sessions: typeof sessions;
  readonly find: (idHash: string) => Promise<SessionRow | undefined>;
  /** Returns the present time plus some milliseconds, in milliseconds since 1970. */
  readonly now: (laterMs: number) => SQL<number> | number;
  readonly read: <Row>(query: PromiseLike<Row[]>) => Promise<Row[]>;
  readonly write: <Row>(query: PromiseLike<Row[]>) => Promise<Row[]>;
  /** Deletes sessions, and notifies the other processes. @returns the hashes of their ids */
  readonly end: (which: SQL | undefined) => Promise<readonly string[]>;
  /** Identifies this table in its rows; absent: a copy of the database has no sessions. */
  readonly madeIn?: SQL<string>;
}

/** Rows per slice: some milliseconds of the event loop on SQLite. */
const SLICE_ROWS = 500;

export const NO_LEASE = { leaseHolder: null, leaseUntil: null };

/** Returns the operations on sessions, which both databases share. */
export function sessionQueries({ db, sessions, find, now, read, write, end, madeIn }: SessionTable): SessionStore {
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
    sessionsOf: (userId: string): Promise<readonly SessionRow[]> =>
      read(
        db
          .select()
          .from(sessions)
          .where(and(eq(sessions.userId, userId), isOfTable))
          .orderBy(desc(sessions.lastUsedAt)),
      ),
    existingSessions(idHashes: readonly string[], { usedSince, startedSince }: SessionLimits) {
      const isWithin = and(gte(sessions.lastUsedAt, usedSince), gte(sessions.startedAt, startedSince), isOfTable);
      const named = inArray(sessions.idHash, [...idHashes]);
      return read(db.select(hash).from(sessions).where(and(named, isWithin)));
    },
    touchSession: (idHash: string, lastUsedAt: number) =>
      update(and(eq(sessions.idHash, idHash), lt(sessions.lastUsedAt, lastUsedAt)), { lastUsedAt }),
    endSession: (idHash: string, tokensVersion?: number) =>
      end(tokensVersion === undefined ? eq(sessions.idHash, idHash) : isVersion({ idHash, tokensVersion })),
    endSessionsOf: (userId: string, publicId?: string) =>
      end(and(eq(sessions.userId, userId), publicId === undefined ? undefined : eq(sessions.publicId, publicId))),
    removeExpiredSessions({ usedSince }: Pick<SessionLimits, 'usedSince'>) {
      const isOld = or(lt(sessions.lastUsedAt, usedSince), isOfTable && not(isOfTable));
      const some = db.select(hash).from(sessions).where(isOld).limit(SLICE_ROWS);
      const slice = db.delete(sessions).where(inArray(sessions.idHash, some)).returning(hash);
      return runSlices(async () => (await write(slice)).length === SLICE_ROWS);
    },
    async takeLease(lease: RefreshLease, leaseMs: number): Promise<boolean> {
      const { leaseUntil } = sessions;
      // Leases are never longer. A lease made before the clock was set back would end too late.
      const isFree = or(isNull(leaseUntil), lt(leaseUntil, now(0)), gt(leaseUntil, now(leaseMs)));
      const values = { leaseHolder: lease.holder, leaseUntil: now(leaseMs) };
      return (await update(and(isVersion(lease), isFree), values)).length > 0;
    },
    releaseLease: ({ idHash, holder }: RefreshLease) =>
      update(and(eq(sessions.idHash, idHash), eq(sessions.leaseHolder, holder)), NO_LEASE),
    async replaceTokens(lease: RefreshLease, next: Pick<SessionRow, 'tokens' | 'tokensExpireAt'>): Promise<boolean> {
      const values = { ...next, tokensVersion: lease.tokensVersion + 1, ...NO_LEASE };
      return (await update(isVersion(lease), values)).length > 0;
    },
    resealTokens: ({ tokens, ...version }: Pick<SessionRow, 'idHash' | 'tokensVersion' | 'tokens'>) =>
      update(isVersion(version), { tokens }),
  };
}
