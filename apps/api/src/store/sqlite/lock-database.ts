import { resolve } from 'node:path';
import { FileInUseError, lockFile } from '@guild-settings/runtime/sqlite-file';
import { StoreUnavailableError } from '../store.ts';

const SHARE_REMEDY =
  'Stop that process, or set DATABASE_URL to another file. Several processes can share a PostgreSQL database.';

/**
 * Locks the database file of an api until the returned function is called or the process ends: processes that share a file
 * would not be notified of each other's changes.
 * @param remedy what to do where another process holds it
 * @throws StoreUnavailableError when another process holds it, or the folder cannot be written
 */
export function lockDatabase(path: string, remedy: string = SHARE_REMEDY): () => void {
  try {
    return lockFile(path);
  } catch (error) {
    if (error instanceof FileInUseError) {
      throw new StoreUnavailableError(`${error.message} ${remedy}`, { cause: error });
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailableError(`The database ${resolve(path)} cannot be opened: ${reason}`, { cause: error });
  }
}
