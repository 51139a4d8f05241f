import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleVersion } from './bundle.ts';
import { bundleNextVersion } from './next-version.ts';

/** The folder of the programs. They find better-sqlite3 from here. */
const MADE = fileURLToPath(new URL('../dist', import.meta.url));

/** The version of the sources as they are, and one after it with more in its contract. */
export const CURRENT = 'current';
export const NEXT = 'next';

/** Returns the folder of a version. */
export function folderOf(version: string): string {
  return join(MADE, version);
}

/** Writes the programs of both versions, before the first test file. */
export async function setup(): Promise<void> {
  await Promise.all([bundleVersion(folderOf(CURRENT)), bundleNextVersion(folderOf(NEXT))]);
}
