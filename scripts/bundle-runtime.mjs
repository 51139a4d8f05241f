import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/**
 * Copies a part of `packages/runtime`, which is not published, into the `dist` of a package that is, and has its modules import
 * the copy. Run in the package's folder after its build, with the name of the part.
 */

const [part] = process.argv.slice(2);
await cp(join('../runtime/dist', part), join('dist', part), { recursive: true });
for (const file of await readdir('dist', { recursive: true })) {
  if (!/\.(?:js|d\.ts)$/.test(file)) continue;
  const path = posix.relative(posix.dirname(file.replaceAll('\\', '/')), `${part}/index.js`);
  const text = await readFile(join('dist', file), 'utf8');
  const bundled = text.replaceAll(`'@guild-settings/runtime/${part}'`, `'./${path}'`);
  if (bundled !== text) await writeFile(join('dist', file), bundled);
}
