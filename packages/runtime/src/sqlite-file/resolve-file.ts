import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The most symbolic links that are followed to a file that does not exist. More are a loop. */
const MAX_LINKS = 40;

/**
 * Returns the absolute path of the file itself, with no symbolic link in it, whether or not the file exists yet. SQLite
 * keeps `-wal` and `-shm` beside that path.
 */
export function resolveFile(path: string): string {
  let file = resolve(path);
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return realpathSync(file);
    } catch {
      const target = linkTarget(file);
      if (target === undefined) break;
      file = resolve(dirname(file), target);
    }
  }
  // The folders that do not exist yet have no links either.
  const folder = dirname(file);
  return folder === file ? file : join(resolveFile(folder), basename(file));
}

/** Returns the target of a symbolic link; undefined: the path is no symbolic link. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
