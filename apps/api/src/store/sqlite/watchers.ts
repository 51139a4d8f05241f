import { inArray, sql } from 'drizzle-orm';
import type { Store } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { watchers } from './schema.ts';
import { transaction } from './transaction.ts';

/** The operations of a store that change registered watchers. */
export function openWatchers(db: SqliteDatabase): Pick<Store, 'saveWatchers' | 'deleteWatchers' | 'watchersVersion'> {
  return {
    async saveWatchers(rows) {
      const { name, shards, leftAt } = watchers;
      const set = { name: excluded(name.name), shards: excluded(shards.name), leftAt: excluded(leftAt.name) };
      await transaction(db, () => {
        // One at a time: a statement takes a limited number of values.
        for (const row of rows) db.insert(watchers).values(row).onConflictDoUpdate({ target: watchers.id, set }).run();
      });
    },

    // One process writes them, and knows them all.
    watchersVersion: async () => 0,

    async deleteWatchers(ids) {
      await transaction(db, () =>
        db
          .delete(watchers)
          .where(inArray(watchers.id, [...ids]))
          .run(),
      );
    },
  };
}

function excluded(column: string) {
  return sql.raw(`excluded.${column}`);
}
