import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Lets other users pass through, not list, the folders above a path. PostgreSQL does not run as root, so root starts it
 * as another user, who may have no access to a checkout in a private folder.
 */
export async function allowTraversal(path: string): Promise<void> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o7777) | 0o001);
  }
}
