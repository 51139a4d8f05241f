import { and, desc, eq, gte, inArray, isNull, lt, or, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { sessions } from './postgres/schema.ts';
import type { RefreshLease, SessionStore } from './session-store.ts';

export interface SessionDatabase {
  readonly db: Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
  readonly sessions: typeof sessions;
  /** Returns the present time, in milliseconds since 1970, and some milliseconds later. */
  readonly now: (laterMs: number) => SQL<number> | number;
  readonly end: (which: SQL | undefined) => Promise<string[]>;
}

const NO_LEASE = { leaseHolder: null, leaseUntil: null };

/** Returns the part of a store of sessions that is the same for every database. */
export function sessionQueries({
  db,
  sessions,
  now,
  end,
}: SessionDatabase): Omit<SessionStore, 'followEnds' | 'close'> {
  const hash = { idHash: sessions.idHash };
  const versionOf = (idHash: string, version: number) =>
    and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, version));
  const heldBy = ({ idHash, holder }: RefreshLease) =>
    and(eq(sessions.idHash, idHash), eq(sessions.leaseHolder, holder));
  return {
    async insert(row) {
      await db.insert(sessions).values(row);
    },
    async find(idHash) {
      const [row] = await db.select().from(sessions).where(eq(sessions.idHash, idHash));
      return row ?? null;
    },
    async list(userId) {
      return db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.lastUsedAt));
    },
    async existing(idHashes, { usedSince, startedSince }) {
      const isWithin = and(gte(sessions.lastUsedAt, usedSince), gte(sessions.startedAt, startedSince));
      const rows = await db
        .select(hash)
        .from(sessions)
        .where(and(inArray(sessions.idHash, [...idHashes]), isWithin));
      return rows.map(({ idHash }) => idHash);
    },
    async touch(idHash, lastUsedAt) {
      await db.update(sessions).set({ lastUsedAt }).where(eq(sessions.idHash, idHash));
    },
    async remove(idHash) {
      return (await end(eq(sessions.idHash, idHash))).length > 0;
    },
    async removeOfUser(userId, publicId) {
      const isOne = publicId === undefined ? undefined : eq(sessions.publicId, publicId);
      return end(and(eq(sessions.userId, userId), isOne));
    },
    async removeExpired({ usedSince, startedSince }) {
      await db.delete(sessions).where(or(lt(sessions.lastUsedAt, usedSince), lt(sessions.startedAt, startedSince)));
    },
    async takeLease({ idHash, version, holder }, leaseMs) {
      const isFree = or(isNull(sessions.leaseUntil), lt(sessions.leaseUntil, now(0)));
      const lease = { leaseHolder: holder, leaseUntil: now(leaseMs) };
      const taken = db
        .update(sessions)
        .set(lease)
        .where(and(versionOf(idHash, version), isFree));
      return (await taken.returning(hash)).length > 0;
    },
    async releaseLease(lease) {
      await db.update(sessions).set(NO_LEASE).where(heldBy(lease));
    },
    async replaceTokens({ idHash, version }, next) {
      const values = { ...next, tokensVersion: version + 1, ...NO_LEASE };
      const replaced = db.update(sessions).set(values).where(versionOf(idHash, version));
      return (await replaced.returning(hash)).length > 0;
    },
    async reseal(idHash, version, tokens) {
      await db.update(sessions).set({ tokens }).where(versionOf(idHash, version));
    },
    async check() {
      await db.delete(sessions).where(eq(sessions.idHash, ''));
    },
  };
}
