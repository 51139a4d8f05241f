import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { NODE_CHECK } from './own-node.mjs';

/**
 * Bundles modules of the package in the current folder with all of their imports: `dist/main.js` from `src/main.ts` for
 * the argument `main`, and `dist/copy.js` for `cli/copy`. Finding and opening a thousand modules takes most of a
 * program's start. Modules that several programs share, or import dynamically, are in files `chunk-*.js`: V8 parses the
 * whole of each file that it loads. `typecheck` checks the types.
 */
const PROGRAMS = process.argv.slice(2);

/** External modules: native code, modules that read files beside them, and optional modules that are not installed. */
const EXTERNAL = [
  'better-sqlite3',
  'esbuild',
  '@scalar/fastify-api-reference',
  'pg-native',
  'zlib-sync',
  'bufferutil',
  'utf-8-validate',
];

const OUTPUT_FOLDER = 'dist';

/** Prefix of the entry points that check the version of Node. */
const CHECKED = 'checked:';

/** Globals that CommonJS modules expect. */
const COMMON_JS = `import { createRequire as requireFor } from 'node:module';
const require = requireFor(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

mkdirSync(OUTPUT_FOLDER, { recursive: true });
// The names contain hashes, so those of earlier builds would stay.
for (const file of readdirSync(OUTPUT_FOLDER)) if (/^chunk-/.test(file)) rmSync(join(OUTPUT_FOLDER, file));

const { metafile } = await build({
  entryPoints: PROGRAMS.map((program) => ({
    in: `${isStarted(program) ? CHECKED : ''}src/${program}.ts`,
    out: basename(program),
  })),
  outdir: OUTPUT_FOLDER,
  bundle: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  conditions: ['@guild-settings/source'],
  external: EXTERNAL,
  plugins: [checkedPrograms(), otherPackages()],
  banner: { js: COMMON_JS },
  // Names are kept. Without comments the text is only ASCII, for which V8 uses one byte per character instead of two.
  minifyWhitespace: true,
  sourcemap: 'linked',
  // The map is for names and lines; the sources are in the repository.
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
});

// A program deployed without its development dependencies must not list dependencies that are in the bundle.
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of ['discord-sim', 'testing']) {
  const isIncluded = Object.keys(metafile.inputs).some((path) => path.includes(`packages/${name}/`));
  if (isIncluded && !(`@guild-settings/${name}` in dependencies)) {
    throw new Error(`Expected no module of packages/${name} in the bundle: it is for tests and the sandbox`);
  }
}

/** Returns true for a program that is started by its file, and false for a thread and for a module with exports. */
function isStarted(program) {
  return /^(main$|cli\/)/.test(program);
}

/**
 * Returns an esbuild plugin for programs that check the version of Node before they load anything: an older Node cannot
 * even parse some modules.
 */
function checkedPrograms() {
  return {
    name: 'checked-programs',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${CHECKED}`) }, ({ path }) => ({
        path: path.slice(CHECKED.length),
        namespace: CHECKED,
      }));
      build.onLoad({ filter: /^/, namespace: CHECKED }, ({ path }) => ({
        contents: `${NODE_CHECK}\nawait import('./${path}');`,
        resolveDir: resolve('.'),
      }));
    },
  };
}

/**
 * Returns an esbuild plugin for modules of other workspace packages, which find their files and dependencies in their
 * own package's folder: `import.meta.url` stays the URL of the source, and a dependency that is not bundled and that
 * the current package lacks is imported by its path. URLs and paths are relative to the output, and lead through
 * `node_modules` if the current package depends on the other one. Migrations of another package are copied into the
 * output, so that a program finds them when it is deployed without the rest of the workspace.
 */
function otherPackages() {
  const own = resolve('.') + sep;
  const fromOutput = (path) => relative(OUTPUT_FOLDER, path).replaceAll(sep, '/');
  const installed = (path) => path.replace(/^.*\/packages\/(?=[^/]+\/src\/)/, 'node_modules/@guild-settings/');
  const copied = (path) => {
    const [, folder, name, module] = /^(.*\/packages\/([^/]+))\/(src\/.+)$/.exec(path) ?? [];
    if (!existsSync(`${folder}/migrations`)) return;
    cpSync(`${folder}/migrations`, join(OUTPUT_FOLDER, 'packages', name, 'migrations'), { recursive: true });
    return join(OUTPUT_FOLDER, 'packages', name, module);
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
        if (!EXTERNAL.includes(path) || pathOf(path, own) !== null) return;
        const found = pathOf(path, resolveDir);
        return found === null ? undefined : { path: fromOutput(found), external: true };
      });
    },
  };
}

/** Returns the file of a dependency as resolved by the modules of a folder, or null. */
function pathOf(dependency, folder) {
  try {
    return createRequire(join(folder, 'module.js')).resolve(dependency);
  } catch {
    return null;
  }
}
