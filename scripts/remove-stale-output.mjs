import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Deletes the files of `dist` whose source no longer exists, in a package's folder before it is packed. tsc deletes
 * nothing, so modules that were renamed or deleted since the first build would be published.
 */

for (const file of await readdir('dist', { recursive: true })) {
  const [, module] = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file) ?? [];
  if (module !== undefined && !existsSync(join('src', `${module}.ts`))) await rm(join('dist', file));
}
