import type { DatabaseConfig } from '../config.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

/**
 * Opens the store that the configuration names.
 * @param onNews called when another process may have committed something
 * @throws StoreUnavailableError when it cannot be opened
 */
export async function openStore(database: DatabaseConfig, onNews: () => void): Promise<Store> {
  switch (database.kind) {
    case 'sqlite':
      return openSqliteStore(database.path);
    case 'postgres':
      return (await import('./postgres/postgres-store.ts')).openPostgresStore(database.url, onNews);
  }
}
