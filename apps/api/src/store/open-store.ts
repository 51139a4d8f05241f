import type { DatabaseConfig } from '../config.ts';
import { holdDatabase } from './sqlite/hold-database.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

export interface OpenStoreOptions {
  /** Called when another process may have committed something. */
  readonly onNews: () => void;
  /** Whether a SQLite database may begin beside the traces of a lost one. */
  readonly isNewAllowed: boolean;
  /** Called with what an operator should know of the database server. */
  readonly onWarning: (message: string) => void;
}

/**
 * Opens the store that the configuration names.
 * @throws StoreUnavailableError when it cannot be opened, or another process uses the SQLite file
 */
export async function openStore(database: DatabaseConfig, options: OpenStoreOptions): Promise<Store> {
  switch (database.kind) {
    case 'sqlite':
      return openHeldStore(database.path, options.isNewAllowed);
    case 'postgres':
      return (await import('./postgres/postgres-store.ts')).openPostgresStore(
        database.url,
        options.onNews,
        options.onWarning,
      );
  }
}

/** A SQLite store whose file is locked against other processes until the store is closed. */
function openHeldStore(path: string, isNewAllowed: boolean): Store {
  const release = holdDatabase(path);
  try {
    const store = openSqliteStore(path, isNewAllowed ? 'always' : 'without-traces');
    const close = () => store.close().finally(release);
    return { ...store, close };
  } catch (error) {
    release();
    throw error;
  }
}
