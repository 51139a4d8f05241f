import { build } from 'esbuild';

/**
 * Makes `dist/main.js`, the program of the package in the current folder, out of `src/main.ts` and all that it needs, in one
 * file: finding and opening a thousand modules takes most of the time that a program takes to start. Types are tsc's affair.
 */

/** What stays outside: native code, what reads files that lie beside it, and what is optional and not installed. */
const EXTERNAL = [
  'better-sqlite3',
  '@scalar/fastify-api-reference',
  'pg-native',
  'zlib-sync',
  'bufferutil',
  'utf-8-validate',
];

/** What CommonJS modules find around them. */
const COMMON_JS = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.js',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['@guild-settings/source'],
  external: EXTERNAL,
  banner: { js: COMMON_JS },
  // Names stay. Without the comments the text has ASCII characters alone, of which V8 keeps a byte each, and not two.
  minifyWhitespace: true,
  sourcemap: 'linked',
  // The map is for names and lines; the sources are in the repository.
  sourcesContent: false,
  logLevel: 'warning',
});
