import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { otherPackages } from './other-packages.mjs';

/**
 * Bundles modules of the package in the current folder with everything that they import: `dist/main.js` from `src/main.ts` for
 * the argument `main`, and `dist/copy.js` for `cli/copy`. Finding and opening a thousand modules takes most of the time that
 * a program takes to start. What several programs share, or import dynamically, is in files `chunk-*.js` of its own: V8 parses
 * the whole of each file that it loads. `typecheck` checks the types.
 */
const PROGRAMS = process.argv.slice(2);

/**
 * Modules that stay outside: native code, modules that read files beside them, and optional modules that are not
 * installed.
 */
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

/** Globals that CommonJS modules expect. */
const COMMON_JS = `import { createRequire as requireFor } from 'node:module';
const require = requireFor(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

mkdirSync(OUTPUT_FOLDER, { recursive: true });
// Their names contain hashes: those of earlier builds would stay.
for (const file of readdirSync(OUTPUT_FOLDER)) if (/^chunk-/.test(file)) rmSync(join(OUTPUT_FOLDER, file));

const { metafile } = await build({
  entryPoints: PROGRAMS.map((program) => ({ in: `src/${program}.ts`, out: basename(program) })),
  outdir: OUTPUT_FOLDER,
  bundle: true,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  conditions: ['@guild-settings/source'],
  external: EXTERNAL,
  plugins: [otherPackages({ outputFolder: OUTPUT_FOLDER, external: EXTERNAL })],
  banner: { js: COMMON_JS },
  // Names stay. Without the comments the text has ASCII characters alone, of which V8 keeps a byte each, and not two.
  minifyWhitespace: true,
  sourcemap: 'linked',
  // The map is for names and lines; the sources are in the repository.
  sourcesContent: false,
  logLevel: 'warning',
  metafile: true,
});

// A program that is deployed without its development dependencies names no dependency that is in the bundle.
const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of ['discord-sim', 'testing']) {
  const isIncluded = Object.keys(metafile.inputs).some((path) => path.includes(`packages/${name}/`));
  if (isIncluded && !(`@guild-settings/${name}` in dependencies)) {
    throw new Error(`Expected no module of packages/${name} in the bundle: it is for tests and the sandbox`);
  }
}
