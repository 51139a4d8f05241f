import { and, desc, eq, gte, inArray, isNull, lt, not, or, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { sessions } from './postgres/schema.ts';
import type { RefreshLease, SessionRow, SessionStore } from './session-store.ts';

/** A table of sessions, and how its database runs queries. */
export interface SessionTable {
  readonly db: Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
  readonly sessions: typeof sessions;
  /** Returns the present time, in milliseconds since 1970, and some milliseconds later. */
  readonly find: (idHash: string) => Promise<SessionRow | undefined>;
  readonly now: (laterMs: number) => SQL<number> | number;
  readonly read: <Row>(query: PromiseLike<Row[]>) => Promise<Row[]>;
  readonly write: <Row>(query: PromiseLike<Row[]>) => Promise<Row[]>;
  /** Deletes sessions, and notifies the other processes. @returns the hashes of their ids */
  readonly end: (which: SQL | undefined) => Promise<readonly string[]>;
  /** Names this table in its rows; absent: a copy of the database has none of them. */
  readonly madeIn?: SQL<string>;
}

const NO_LEASE = { leaseHolder: null, leaseUntil: null };

/** Returns the operations on sessions, which are the same for both databases. */
export function sessionQueries({ db, sessions, find, now, read, write, end, madeIn }: SessionTable): SessionStore {
  const hash = { idHash: sessions.idHash };
  const isOfTable = madeIn && eq(sessions.madeIn, madeIn);
  const versionOf = ({ idHash, version }: Omit<RefreshLease, 'holder'>) =>
    and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, version));
  return {
    async insertSession(row) {
      await write(
        db
          .insert(sessions)
          .values({ ...row, madeIn: madeIn ?? '' })
          .returning(hash),
      );
    },
    async findSession(idHash) {
      return (await find(idHash)) ?? null;
    },
    async sessionsOf(userId) {
      const own = and(eq(sessions.userId, userId), isOfTable);
      return read(db.select().from(sessions).where(own).orderBy(desc(sessions.lastUsedAt)));
    },
    async existingSessions(idHashes, { usedSince, startedSince }) {
      const isWithin = and(gte(sessions.lastUsedAt, usedSince), gte(sessions.startedAt, startedSince), isOfTable);
      const named = inArray(sessions.idHash, [...idHashes]);
      const rows = await read(db.select(hash).from(sessions).where(and(named, isWithin)));
      return rows.map(({ idHash }) => idHash);
    },
    async touchSession(idHash, lastUsedAt) {
      await write(db.update(sessions).set({ lastUsedAt }).where(eq(sessions.idHash, idHash)).returning(hash));
    },
    async endSession(idHash) {
      await end(eq(sessions.idHash, idHash));
    },
    async endSessionsOf(userId, publicId) {
      const isOne = publicId === undefined ? undefined : eq(sessions.publicId, publicId);
      return end(and(eq(sessions.userId, userId), isOne));
    },
    async removeExpiredSessions({ usedSince, startedSince }) {
      const isOld = or(lt(sessions.lastUsedAt, usedSince), lt(sessions.startedAt, startedSince));
      await write(
        db
          .delete(sessions)
          .where(or(isOld, isOfTable && not(isOfTable)))
          .returning(hash),
      );
    },
    async takeLease(lease, leaseMs) {
      const isFree = or(isNull(sessions.leaseUntil), lt(sessions.leaseUntil, now(0)));
      const values = { leaseHolder: lease.holder, leaseUntil: now(leaseMs) };
      const taken = db
        .update(sessions)
        .set(values)
        .where(and(versionOf(lease), isFree))
        .returning(hash);
      return (await write(taken)).length > 0;
    },
    async releaseLease({ idHash, holder }) {
      const isHeld = and(eq(sessions.idHash, idHash), eq(sessions.leaseHolder, holder));
      await write(db.update(sessions).set(NO_LEASE).where(isHeld).returning(hash));
    },
    async replaceTokens(lease, next) {
      const values = { ...next, tokensVersion: lease.version + 1, ...NO_LEASE };
      return (await write(db.update(sessions).set(values).where(versionOf(lease)).returning(hash))).length > 0;
    },
    async resealTokens(lease, tokens) {
      await write(db.update(sessions).set({ tokens }).where(versionOf(lease)).returning(hash));
    },
  };
}
