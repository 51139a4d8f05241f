import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * PostgreSQL does not run as root, so root starts it as somebody else, who may have no way to where it is installed: a
 * checkout in a private folder. Lets others pass through, not look into, the folders above a path.
 */
export async function openWayTo(path: string): Promise<void> {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o7777) | 0o001);
  }
}
