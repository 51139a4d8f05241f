import type { DeclarationStore } from '../store.ts';
import type { SqliteDatabase } from './database.ts';
import { meta } from './schema.ts';
import { transaction, withStoreErrors } from './transaction.ts';

export function openDeclarations(db: SqliteDatabase): DeclarationStore {
  const count = db.$client
    .prepare<[string], number>('SELECT count(*) FROM guilds WHERE json_type(settings, ?) IS NOT NULL')
    .pluck();
  return {
    async readDeclaration() {
      return withStoreErrors(() => db.select({ served: meta.declaration }).from(meta).get()?.served ?? null);
    },
    async recordDeclaration(declaration) {
      await transaction(db, () => db.update(meta).set({ declaration }).run());
    },
    async countSet(fields) {
      return withStoreErrors(() => Object.fromEntries(fields.map((field) => [field, count.get(`$."${field}"`) ?? 0])));
    },
  };
}
