import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleVersion } from './bundle.ts';
import { bundleNextVersion } from './next-version.ts';

/** The folder of all published versions. */
export const PUBLISHED = fileURLToPath(new URL('../published', import.meta.url));

/** The folder of versions that tests make. Programs in it find better-sqlite3, as those of published versions do. */
const MADE = fileURLToPath(new URL('../dist', import.meta.url));

/** The version of the sources as they are, and one after it with more in its contract. */
export const CURRENT = 'current';
export const NEXT = 'next';

/** Returns the names of the published versions, the oldest first. */
export function publishedVersions(): string[] {
  if (!existsSync(PUBLISHED)) return [];
  return readdirSync(PUBLISHED).sort((a, b) => Number(a) - Number(b));
}

/** Returns the folder of a version. */
export function folderOf(version: string): string {
  return join(version === CURRENT || version === NEXT ? MADE : PUBLISHED, version);
}

/** Writes the programs of the versions that are not published. */
export async function makeVersions(): Promise<void> {
  await Promise.all([bundleVersion(folderOf(CURRENT)), bundleNextVersion(folderOf(NEXT))]);
}
