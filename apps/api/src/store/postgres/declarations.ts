import { sql } from 'drizzle-orm';
import type { DeclarationStore } from '../store.ts';
import type { PostgresDatabase } from './database.ts';
import { withStoreErrors } from './failures.ts';
import { guilds, meta } from './schema.ts';

export function openDeclarations(db: PostgresDatabase): DeclarationStore {
  return {
    async readDeclaration() {
      const [row] = await withStoreErrors(() => db.select({ served: meta.declaration }).from(meta));
      return row?.served ?? null;
    },
    async recordDeclaration(declaration) {
      await withStoreErrors(() => db.update(meta).set({ declaration }));
    },
    async countSet(fields) {
      const counts: Record<string, number> = {};
      for (const field of fields) {
        // The operator for a key is a placeholder of some drivers.
        const isSet = sql`jsonb_exists(${guilds.settings}, ${field})`;
        counts[field] = await withStoreErrors(() => db.$count(guilds, isSet));
      }
      return counts;
    },
  };
}
