import type { DatabaseConfig } from '../config.ts';
import { lockDatabase } from './sqlite/lock-database.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { ApplyCommand, NotificationState, Store, StoreCommand } from './store.ts';

/** Interpreter, callbacks and permissions of a store. */
export interface OpenStoreOptions<Command extends StoreCommand> {
  readonly apply: ApplyCommand<Command>;
  /** Called when another process may have committed changes. */
  readonly onCommit: () => void;
  /** Whether a SQLite database may be created beside the files of a lost one. */
  readonly isNewAllowed: boolean;
  /** Called with each setting of the database server that risks acknowledged changes. */
  readonly onWarning: (message: string) => void;
  /** Called when the notifications of other processes' commits are lost, and when they are received again. */
  readonly onNotifications: (state: NotificationState) => void;
}

/**
 * Opens the configured store.
 * @throws StoreUnavailableError when it cannot be opened, or another process uses the SQLite file
 */
export async function openStore<Command extends StoreCommand>(
  database: DatabaseConfig,
  options: OpenStoreOptions<Command>,
): Promise<Store<Command>> {
  switch (database.kind) {
    case 'sqlite':
      return openLockedStore(database.path, options);
    case 'postgres':
      return (await import('./postgres/postgres-store.ts')).openPostgresStore(database.url, options);
  }
}

/** Opens a SQLite store whose file is locked against other processes until the store is closed. */
function openLockedStore<Command extends StoreCommand>(
  path: string,
  { apply, isNewAllowed }: OpenStoreOptions<Command>,
): Store<Command> {
  const release = lockDatabase(path);
  try {
    const store = openSqliteStore(path, apply, isNewAllowed ? 'always' : 'without-traces');
    const close = () => store.close().finally(release);
    return { ...store, close };
  } catch (error) {
    release();
    throw error;
  }
}
