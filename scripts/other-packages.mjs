import { cpSync, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';

/**
 * Returns an esbuild plugin for modules of other workspace packages, which find their files and dependencies in their own
 * package's folder: `import.meta.url` stays the URL of the source, and a dependency that is not bundled and that the current
 * package lacks is imported by its path. URLs and paths are relative to the output, and lead through `node_modules` where the current
 * package depends on the other one. Migrations of another package are copied into the output, so that a program finds them where it is
 * deployed without the rest of the workspace.
 */
export function otherPackages({ outputFolder, external }) {
  const own = resolve('.') + sep;
  const fromOutput = (path) => relative(outputFolder, path).replaceAll(sep, '/');
  const installed = (path) => path.replace(/^.*\/packages\/(?=[^/]+\/src\/)/, 'node_modules/@guild-settings/');
  const copied = (path) => {
    const [, folder, name, module] = /^(.*\/packages\/([^/]+))\/(src\/.+)$/.exec(path) ?? [];
    if (!existsSync(`${folder}/migrations`)) return;
    cpSync(`${folder}/migrations`, join(outputFolder, 'packages', name, 'migrations'), { recursive: true });
    return join(outputFolder, 'packages', name, module);
  };
  return {
    name: 'other-packages',
    setup(build) {
      build.onLoad({ filter: /\/(apps|packages)\/[^/]+\/src\/.+\.ts$/ }, async ({ path }) => {
        if (path.startsWith(own) || path.includes('node_modules')) return;
        const source = await readFile(path, 'utf8');
        const there = copied(path) ?? (existsSync(installed(path)) ? installed(path) : path);
        const url = `new URL(${JSON.stringify(fromOutput(there))}, import.meta.url).href`;
        return { loader: 'ts', contents: source.replaceAll('import.meta.url', url) };
      });
      build.onResolve({ filter: /^[^.]/ }, ({ path, resolveDir }) => {
        if (!external.includes(path) || pathOf(path, own) !== null) return;
        const found = pathOf(path, resolveDir);
        return found === null ? undefined : { path: fromOutput(found), external: true };
      });
    },
  };
}

/** Returns the file of a dependency as the modules of a folder find it, or null. */
function pathOf(dependency, folder) {
  try {
    return createRequire(join(folder, 'module.js')).resolve(dependency);
  } catch {
    return null;
  }
}
