import { and, inArray, isNotNull, lte, max, or, sql } from 'drizzle-orm';
import type { Store, WatcherRow } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { watchers } from './schema.ts';
import { transact } from './transaction.ts';

/** Rows of one statement, which takes a limited number of values. */
const ROWS = 1_000;

/**
 * A greater version than all before: the number of the transaction, which grows also when rows are deleted. In a database that was
 * restored into another cluster, rows have greater ones.
 */
const NEXT_VERSION = sql<number>`greatest(pg_current_xact_id()::text::bigint, (SELECT max(version) + 1 FROM watchers))`;

type WatcherStore = Pick<Store, 'readWatchers' | 'saveWatchers' | 'deleteWatchers' | 'watchersVersion'>;

/** The operations of a store on registered watchers. */
export function openWatchers(db: PostgresDatabase): WatcherStore {
  const readVersion = db
    .select({ version: max(watchers.version) })
    .from(watchers)
    .prepare('watchers_version');
  const { id, name, shards, leftAt, version } = watchers;
  return {
    async readWatchers() {
      return withStoreErrors(() => db.select({ id, name, shards, leftAt }).from(watchers));
    },

    async saveWatchers(rows) {
      await transact(db, 'write', async (tx) => {
        // The order of versions is that of commits: who has read a version has read all before it.
        await tx.execute(sql`LOCK TABLE ${watchers} IN SHARE ROW EXCLUSIVE MODE`);
        const excluded = (column: { readonly name: string }) => sql.raw(`excluded.${column.name}`);
        const set = {
          name: excluded(name),
          shards: excluded(shards),
          leftAt: excluded(leftAt),
          version: excluded(version),
        };
        for (let start = 0; start < rows.length; start += ROWS) {
          const values = rows.slice(start, start + ROWS).map((row: WatcherRow) => ({ ...row, version: NEXT_VERSION }));
          await tx.insert(watchers).values(values).onConflictDoUpdate({ target: id, set });
        }
      });
    },

    async deleteWatchers(ids, known) {
      const isGone = or(isNotNull(leftAt), lte(version, known));
      await withStoreErrors(() => db.delete(watchers).where(and(inArray(id, [...ids]), isGone)));
    },

    async watchersVersion() {
      const [found] = await withStoreErrors(() => readVersion.execute());
      return found?.version ?? 0;
    },
  };
}
