import type { DatabaseConfig } from '@guild-settings/runtime/environment';
import type { ErasureLedger } from './erasure/erasure-ledger.ts';
import type { ApplyCommand, StoreCommand } from './guild-store.ts';
import { lockDatabase } from './sqlite/admit-file.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { NotificationState, Store } from './store.ts';

interface OpenStoreOptions<Command extends StoreCommand> {
  readonly apply: ApplyCommand<Command>;
  readonly onCommit: () => void;
  readonly onWatchers: () => void;
  /** Called when another process has ended a session. */
  readonly onSessionEnded?: ((idHash: string) => void) | undefined;
  /** True: a SQLite database may be created beside the files of a lost one, and a ledger in place of a lost one. */
  readonly isNewAllowed: boolean;
  /** Records requested erasures; undefined: they are not recorded. */
  readonly ledger: ErasureLedger | undefined;
  /** Called with each setting of the database server that puts acknowledged changes at risk. */
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
    case 'sqlite': {
      const store = openLockedStore(database.path, options);
      return withLedger(store, options);
    }
    case 'postgres': {
      if (options.ledger === undefined) options.onWarning(NO_LEDGER);
      const { openPostgresStore } = await import('./postgres/postgres-store.ts');
      return withLedger(await openPostgresStore(database.url, options), options);
    }
  }
}

const NEW_ALLOWED =
  'started with --new: a lost database is replaced by an empty one, and a lost ledger of erasures by a new one; start without --new from now on';

const NO_LEDGER =
  'No ledger of erasures is configured: if an older copy of the database is restored, data that was erased since comes back. Set ERASURE_LEDGER to the path of a file.';

async function withLedger<Command extends StoreCommand>(
  store: Store<Command>,
  { ledger, isNewAllowed, onWarning }: OpenStoreOptions<Command>,
): Promise<Store<Command>> {
  try {
    if (isNewAllowed) onWarning(NEW_ALLOWED);
    const applied = await store.applyLedger({ isNewAllowed });
    if (ledger?.isCutOff)
      onWarning('The ledger of erasures ends in an incomplete line, and the database has no erasure for it.');
    if (applied > 0) onWarning(`The database is older than the ledger of erasures: ${applied} erasures are repeated.`);
    await store.finishErasures('guild');
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a SQLite store whose file is locked against other processes until the store is closed. */
function openLockedStore<Command extends StoreCommand>(
  path: string,
  { apply, isNewAllowed, ledger }: OpenStoreOptions<Command>,
): Store<Command> {
  const release = lockDatabase(path);
  try {
    const store = openSqliteStore(path, apply, {
      newDatabase: isNewAllowed ? 'always' : 'without-traces',
      ledger,
    });
    const close = () => store.close().finally(release);
    return { ...store, close };
  } catch (error) {
    release();
    throw error;
  }
}
