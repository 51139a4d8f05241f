import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of the programs of an operating system, also those that are not on the path of everyone. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];

/** Returns whether this machine has a command. Tests that need one that few machines have are skipped without it. */
export function hasCommand(name: string): boolean {
  return FOLDERS.some((folder) => existsSync(join(folder, name)));
}
