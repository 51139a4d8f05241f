import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  firstMigrationOf,
  lockFile,
  makePrivate,
  makePrivateFolder,
  requireFirstMigration,
  resolveFile,
} from '@guild-settings/runtime/sqlite-file';
import Database from 'better-sqlite3';
import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { PACKAGE_FOLDER } from '../../../package-folder.ts';
import type { Clock } from '../../clock.ts';
import { EARLIER_SESSIONS_REMEDY, type RefreshLease, type SessionStore } from '../session-store.ts';
import { sessions } from './schema.ts';

const MIGRATIONS = fileURLToPath(new URL('src/server/session/sqlite/migrations', PACKAGE_FOLDER));

/** The columns of a session without a lease. */
const NO_LEASE = { leaseHolder: null, leaseUntil: null };

/**
 * Opens the sessions in a SQLite file, which is created if it does not exist, and locks it against other processes. A commit
 * survives the loss of power: Discord accepts a refresh token once.
 * @throws FileInUseError when another process uses the file
 * @throws EarlierDatabaseError for a file that a version before 1.0.0 has made
 */
export function openSqliteSessions(path: string, clock: Clock): SessionStore {
  const file = resolveFile(path);
  makePrivateFolder(dirname(file));
  const release = lockFile(file);
  try {
    makePrivate(file);
    const client = new Database(file);
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = FULL');
    client.pragma('secure_delete = ON');
    requireFirstMigration({
      database: `The file of sessions ${file}`,
      applied: firstMigrationOf(client),
      migrations: readMigrationFiles({ migrationsFolder: MIGRATIONS }),
      remedy: EARLIER_SESSIONS_REMEDY,
    });
    migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
    return sqliteSessions(client, { clock, release });
  } catch (error) {
    release();
    throw error;
  }
}

function sqliteSessions(
  client: Database.Database,
  { clock, release }: { readonly clock: Clock; readonly release: () => void },
): SessionStore {
  const db = drizzle(client);
  // Every request reads its session.
  const find = db
    .select()
    .from(sessions)
    .where(eq(sessions.idHash, sql.placeholder('idHash')))
    .prepare();
  const hash = { idHash: sessions.idHash };
  const heldBy = ({ idHash, holder }: RefreshLease) =>
    and(eq(sessions.idHash, idHash), eq(sessions.leaseHolder, holder));
  return {
    async insert(row) {
      db.insert(sessions).values(row).run();
    },
    async find(idHash) {
      return find.get({ idHash }) ?? null;
    },
    async list(userId) {
      return db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.lastUsedAt)).all();
    },
    async existing(idHashes, { usedSince, startedSince }) {
      const isWithin = and(gte(sessions.lastUsedAt, usedSince), gte(sessions.startedAt, startedSince));
      const rows = db
        .select(hash)
        .from(sessions)
        .where(and(inArray(sessions.idHash, [...idHashes]), isWithin))
        .all();
      return rows.map(({ idHash }) => idHash);
    },
    async touch(idHash, lastUsedAt) {
      db.update(sessions).set({ lastUsedAt }).where(eq(sessions.idHash, idHash)).run();
    },
    async remove(idHash) {
      return db.delete(sessions).where(eq(sessions.idHash, idHash)).run().changes > 0;
    },
    async removeOfUser(userId, publicId) {
      const isOne = publicId === undefined ? undefined : eq(sessions.publicId, publicId);
      const rows = db
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), isOne))
        .returning(hash)
        .all();
      return rows.map(({ idHash }) => idHash);
    },
    async removeExpired({ usedSince, startedSince }) {
      db.delete(sessions)
        .where(or(lt(sessions.lastUsedAt, usedSince), lt(sessions.startedAt, startedSince)))
        .run();
    },
    async takeLease({ idHash, version, holder }, leaseMs) {
      const now = clock();
      const isFree = or(isNull(sessions.leaseUntil), lt(sessions.leaseUntil, now));
      const isOpen = and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, version), isFree);
      const lease = { leaseHolder: holder, leaseUntil: now + leaseMs };
      return db.update(sessions).set(lease).where(isOpen).run().changes > 0;
    },
    async releaseLease(lease) {
      db.update(sessions).set(NO_LEASE).where(heldBy(lease)).run();
    },
    async replaceTokens(lease, next) {
      const { version } = lease;
      const isExpected = and(eq(sessions.idHash, lease.idHash), eq(sessions.tokensVersion, version));
      const values = { ...next, tokensVersion: version + 1, ...NO_LEASE };
      return db.update(sessions).set(values).where(isExpected).run().changes > 0;
    },
    async reseal(idHash, version, tokens) {
      const isExpected = and(eq(sessions.idHash, idHash), eq(sessions.tokensVersion, version));
      db.update(sessions).set({ tokens }).where(isExpected).run();
    },
    async check() {
      db.delete(sessions).where(eq(sessions.idHash, '')).run();
    },
    followEnds() {},
    async close() {
      client.close();
      release();
    },
  };
}
