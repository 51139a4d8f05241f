import { FileInUseError, lockFile as lockSqliteFile } from '@guild-settings/sqlite-file';

export { FileInUseError };

/**
 * Keeps every other bot process from the file until the result is called or the process ends, however it ends: two that
 * follow different guilds would delete each other's.
 * @throws FileInUseError
 */
export function holdFile(path: string): () => void {
  try {
    return lockSqliteFile(path);
  } catch (error) {
    if (!(error instanceof FileInUseError)) throw error;
    throw new FileInUseError(`${error.message} Give each bot process a file of its own by DATABASE_URL.`);
  }
}
