import { inArray, sql } from 'drizzle-orm';
import type { Store, WatcherRow } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { watchers } from './schema.ts';

/** Rows of one statement, which takes a limited number of values. */
const ROWS = 1_000;

/** The operations of a store on registered watchers. */
export function openWatchers(db: PostgresDatabase): Pick<Store, 'readWatchers' | 'saveWatchers' | 'deleteWatchers'> {
  return {
    async readWatchers() {
      return withStoreErrors(() => db.select().from(watchers));
    },

    async saveWatchers(rows) {
      const { name, shards, leftAt } = watchers;
      const set = { name: excluded(name.name), shards: excluded(shards.name), leftAt: excluded(leftAt.name) };
      for (let start = 0; start < rows.length; start += ROWS) {
        const values: WatcherRow[] = rows.slice(start, start + ROWS);
        await withStoreErrors(() =>
          db.insert(watchers).values(values).onConflictDoUpdate({ target: watchers.id, set }),
        );
      }
    },

    async deleteWatchers(ids) {
      await withStoreErrors(() => db.delete(watchers).where(inArray(watchers.id, [...ids])));
    },
  };
}

function excluded(column: string) {
  return sql.raw(`excluded.${column}`);
}
