import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of all published versions. */
export const PUBLISHED = fileURLToPath(new URL('../published', import.meta.url));

/** Returns the names of the published versions, the oldest first. */
export function publishedVersions(): string[] {
  if (!existsSync(PUBLISHED)) return [];
  return readdirSync(PUBLISHED).sort((a, b) => Number(a) - Number(b));
}
