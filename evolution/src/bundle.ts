import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** A text of a module, and what takes its place. */
export interface Replacement {
  /** The end of the module's path. */
  readonly module: string;
  readonly text: string;
  readonly by: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const API = join(ROOT, 'apps/api');
const MIGRATIONS = ['src/store/sqlite/migrations', 'src/store/postgres/migrations'];

/** Modules outside: native code, half of the reader, the script of the api's documentation, and one that is not installed. */
const EXTERNAL = ['better-sqlite3', 'undici', '@scalar/fastify-api-reference', 'pg-native'];

/** A module by the end of its path, and what takes its place. */
type LeftOut = readonly [path: string, contents: string];

/** The OpenAPI document, whose libraries are half of the service. */
const DOCUMENT: LeftOut = ['apps/api/src/openapi/document.ts', 'export const openApiDocument = () => ({});'];

/** The translations of zod's messages, which are half of the reader. */
const TRANSLATIONS: LeftOut = ['zod/v4/locales/index.js', "export { default as en } from './en.js';"];

/** Globals that CommonJS modules expect. */
const COMMON_JS = `import { createRequire as requireFor } from 'node:module';
const require = requireFor(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

interface BundleOptions {
  /** Changes of the sources; none unless given. */
  readonly replacements?: readonly Replacement[];
  /** True: the service has its OpenAPI document. */
  readonly withDocument?: boolean;
}

/**
 * Writes the service and its reader, as the sources are now, into a folder: `reader/program/main.mjs`, the program of `reader.ts`, and
 * `api/dist`, with the service `main.js`, its thread and `migrate.js`, each as one file that needs Node, better-sqlite3 and undici.
 */
export async function bundleVersion(folder: string, options: BundleOptions = {}): Promise<void> {
  const { replacements = [], withDocument = false } = options;
  const plugins = [...(withDocument ? [] : [leftOut(DOCUMENT)]), leftOut(TRANSLATIONS), replaced(replacements)];
  mkdirSync(join(folder, 'api/dist'), { recursive: true });
  await Promise.all([
    bundle(join(ROOT, 'evolution/src/reader.ts'), join(folder, 'reader/program/main.mjs'), plugins),
    bundle(join(API, 'src/main.ts'), join(folder, 'api/dist/main.js'), plugins),
    bundle(join(API, 'src/store/sqlite/checkpoint-thread.ts'), join(folder, 'api/dist/checkpoint-thread.js'), plugins),
    bundle(join(API, 'src/cli/migrate.ts'), join(folder, 'api/dist/migrate.js'), plugins),
  ]);
  // The service reads its version and its migrations from the folder of its package.
  const { name, version, type } = JSON.parse(readFileSync(join(API, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'api/package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
  const isNeeded = (path: string) => !path.endsWith('_snapshot.json');
  for (const migrations of MIGRATIONS) {
    cpSync(join(API, migrations), join(folder, 'api', migrations), { recursive: true, filter: isNeeded });
  }
  // The replica finds its migration beside the folder of the reader's program.
  cpSync(join(ROOT, 'packages/replica/migrations'), join(folder, 'reader/migrations'), {
    recursive: true,
    filter: isNeeded,
  });
}

async function bundle(entry: string, outfile: string, plugins: Plugin[]): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['@guild-settings/source'],
    external: EXTERNAL,
    plugins,
    banner: { js: COMMON_JS },
    minify: true,
    // Errors have the names of their classes.
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

function leftOut([path, contents]: LeftOut): Plugin {
  return {
    name: path,
    setup(builder) {
      builder.onLoad({ filter: endOf(path) }, (args) => ({ contents, resolveDir: dirname(args.path) }));
    },
  };
}

/** Returns a plugin that changes sources. A replacement whose text is not there is an error, unless the module is not used. */
function replaced(replacements: readonly Replacement[]): Plugin {
  return {
    name: 'replaced',
    setup(builder) {
      for (const path of new Set(replacements.map(({ module }) => module))) {
        const ofModule = replacements.filter(({ module }) => module === path);
        builder.onLoad({ filter: endOf(path) }, (args) => {
          let contents = readFileSync(args.path, 'utf8');
          for (const { text, by } of ofModule) {
            if (!contents.includes(text)) throw new Error(`Expected in ${path}: ${text}`);
            contents = contents.replace(text, () => by);
          }
          return { contents, loader: 'ts' };
        });
      }
    },
  };
}

function endOf(path: string): RegExp {
  return new RegExp(`/${path.replaceAll('.', '\\.')}$`);
}
