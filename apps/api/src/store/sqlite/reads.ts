import { desc, eq, sql } from 'drizzle-orm';
import type { ErasureCipher } from '../erasure/erasure-cipher.ts';
import { changeOf } from '../rows.ts';
import type { Store } from '../store.ts';
import { MAX_TOKEN_CHECKS } from '../token-checks.ts';
import type { SqliteDatabase } from './database.ts';
import { canResume } from './epochs.ts';
import { prepareReadErasure } from './erasures.ts';
import { GuildWalk } from './guild-walk.ts';
import { prepareReadFeed } from './read-feed.ts';
import { changes, meta, presenceReports, tokenChecks, watchers } from './schema.ts';
import { logBoundsOf, type Statements } from './statements.ts';
import { withStoreErrors } from './transaction.ts';

/** The operations of a store that only read, but for those of every request. */
export type SqliteReads = Pick<
  Store,
  | 'readTimeTraces'
  | 'readTokenChecks'
  | 'readWatchers'
  | 'readHistory'
  | 'readLogBounds'
  | 'readErasure'
  | 'readFeed'
  | 'canResume'
  | 'probeRead'
>;

interface ReadsOptions {
  readonly db: SqliteDatabase;
  readonly statements: Statements;
  readonly cipher: ErasureCipher;
  /** The present epoch of the file. */
  readonly epoch: string;
}

/** Opens the reading operations on a SQLite file. */
export function openReads({ db, statements, cipher, epoch }: ReadsOptions): SqliteReads {
  const readErasure = prepareReadErasure(db, cipher);
  const readFeed = prepareReadFeed(db, statements);
  const walk = new GuildWalk(statements.readGuildsAfter);
  return {
    async readTimeTraces() {
      const traces = db
        .select({
          retentionRanAt: meta.retentionRanAt,
          newestChangeAt: sql<number | null>`(SELECT at FROM ${changes} ORDER BY revision DESC LIMIT 1)`,
          newestReportAt: sql<number | null>`(SELECT max(at) FROM ${presenceReports})`,
        })
        .from(meta);
      return withStoreErrors(
        () => traces.get() ?? { retentionRanAt: null, newestChangeAt: null, newestReportAt: null },
      );
    },

    async readTokenChecks(applicationId) {
      const ofApplication = db.select().from(tokenChecks).where(eq(tokenChecks.applicationId, applicationId));
      return withStoreErrors(() => ofApplication.orderBy(desc(tokenChecks.checkedAt)).limit(MAX_TOKEN_CHECKS).all());
    },

    async readWatchers() {
      return withStoreErrors(() => db.select().from(watchers).all());
    },

    async readHistory(range) {
      return withStoreErrors(() => statements.readHistory(range).map(changeOf));
    },

    async readLogBounds() {
      return withStoreErrors(() => logBoundsOf(statements));
    },

    async readErasure(guildId) {
      return readErasure(guildId);
    },

    async readFeed(after, limit) {
      return withStoreErrors(() => ({ epoch, ...readFeed({ after, limit, cipher }) }));
    },

    async canResume(cursor) {
      return withStoreErrors(() => canResume(db, cursor));
    },

    async probeRead(guildIds) {
      withStoreErrors(() => {
        logBoundsOf(statements);
        for (const id of [...guildIds, ...walk.next()]) statements.readGuild(id);
        statements.readNewestChange();
      });
    },
  };
}
