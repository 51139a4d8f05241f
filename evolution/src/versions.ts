import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleVersion } from './bundle.ts';
import { bundleNextVersion } from './next-version.ts';

/** The folder of the programs. They find their modules from here. */
export const MADE = fileURLToPath(new URL('../dist', import.meta.url));

/** The folder of the released versions, which are committed and never edited. */
const PUBLISHED = fileURLToPath(new URL('../published', import.meta.url));

/** The version of the sources as they are, and one after it with more in its contract. */
export const CURRENT = 'current';
export const NEXT = 'next';

/** The version in package.json. */
export const PACKAGE_VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;

/** Returns the released versions that are kept: the service and the reader of each, and the files that they wrote. */
export function publishedVersions(): string[] {
  return existsSync(PUBLISHED) ? readdirSync(PUBLISHED).sort() : [];
}

/** Returns the folder of a version, or of programs that a test makes. */
export function folderOf(version: string): string {
  return join(/^\d/.test(version) ? PUBLISHED : MADE, version);
}

/** Writes the programs of both versions, before the first test file. */
export async function setup(): Promise<void> {
  await Promise.all([bundleVersion(folderOf(CURRENT)), bundleNextVersion(folderOf(NEXT))]);
}
