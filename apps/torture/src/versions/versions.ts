import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { GUILD, OTHER_GUILD } from './programs.ts';

/** The version of the present sources, and a later one with additions to its contract. */
export const CURRENT = 'current';
export const NEXT = 'next';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const API = join(ROOT, 'apps/api');

/** The released versions, which are committed and never edited. */
const PUBLISHED = join(ROOT, 'evolution/published');

/** The folder of the generated programs, from which they find their modules. */
export const MADE = join(ROOT, 'apps/torture/dist/versions');

export function folderOf(version: string): string {
  return join(/^\d/.test(version) ? PUBLISHED : MADE, version);
}

/** Returns the kept released versions: the service and the reader of each, and the files that they wrote. */
export function publishedVersions(): string[] {
  return existsSync(PUBLISHED) ? readdirSync(PUBLISHED).sort() : [];
}

/** The files of a published version, compressed: the service's database, its erasure ledger, and the replica's copy. */
export const FILES = {
  service: 'guild-settings.db',
  erasures: 'guild-settings.db-erasures',
  replica: 'replica.db',
} as const;

export const PUBLISHED_SETTINGS = {
  [GUILD]: { prefix: '?', language: 'ja', enabledFeatures: ['reminders'] },
  [OTHER_GUILD]: { prefix: '%', beta: true, announcement_channel: '197038439483310086' },
};

/** The file of a published version with its service: the api's deployed package, without source maps. */
export const SERVICE = 'service.tar.gz';

/** Unpacks the service of a published version where it finds better-sqlite3. Returns the folder of the version. */
export function unpackService(version: string): string {
  const folder = join(MADE, version);
  const to = join(folder, 'api');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', join(folderOf(version), SERVICE), '-C', to]);
  return folder;
}

export function copyPublished(version: string, file: string, to: string): void {
  writeFileSync(to, gunzipSync(readFileSync(join(folderOf(version), `${file}.gz`))));
}

let made: Promise<unknown> | undefined;

/** Writes the programs of both versions, once per process. */
export async function makeVersions(): Promise<void> {
  // A published reader also finds its modules from here.
  for (const version of publishedVersions())
    cpSync(join(PUBLISHED, version, 'reader'), join(MADE, version, 'reader'), { recursive: true });
  made ??= Promise.all([bundleVersion(folderOf(CURRENT)), bundleNextVersion(folderOf(NEXT))]);
  await made;
}

/** A text in a module whose path ends with the given one, and its replacement. */
interface Replacement {
  readonly module: string;
  readonly text: string;
  readonly by: string;
}

/** Inserts text after the first occurrence of another one. */
const after = (module: string, text: string, added: string): Replacement => ({ module, text, by: `${text}${added}` });

/**
 * The changes of the next version in the sources of this one. A text that is not found is an error: adapt it to the
 * source.
 */
const REPLACEMENTS: readonly Replacement[] = [
  // A sixth language.
  after('contract/src/languages.ts', "'es-ES'", ", 'fr'"),
  // A sixth setting, for services and for readers.
  {
    module: 'contract/src/settings/specified.ts',
    text: '  enabledFeatures: {\n',
    by: "  timezone: { kind: 'text', max: 40, default: 'UTC', label: { 'en-US': 'Time zone' } },\n  enabledFeatures: {\n",
  },
  after('contract/src/received.ts', '(typeSchema),\n', "  timezone: z.string().default('UTC'),\n"),
  // An eighth event type: a single guild was changed.
  after(
    'contract/src/watch.ts',
    "  z.object({ type: z.literal('removed'), revision: Revision, guild: GuildId }),\n",
    "  z.object({ type: z.literal('touched'), revision: Revision, guild: GuildId }),\n",
  ),
  {
    module: 'api/src/feed/events.ts',
    text: "for (const record of records) yield { type: 'guild', ...record };",
    by: `for (const record of records) {
      yield { type: 'guild', ...record };
      yield { type: 'touched', revision: record.revision, guild: record.guild.id };
    }`,
  },
  // Another field of the input of a watch.
  after('contract/src/watch.ts', '    shard: WatchedShard.optional(),\n', '    verbose: z.boolean().optional(),\n'),
  after('client/src/watch.ts', 'accepts: WATCH_EVENT_TYPES,', ' verbose: true,'),
  // An operation that will end.
  after(
    'contract/src/operations/read-history.ts',
    "  type: 'query',\n",
    "  deprecation: { since: '2027-01-01T00:00:00Z', sunset: '2027-07-01T00:00:00Z', link: '/docs' },\n",
  ),
];

/**
 * Writes the service and its reader in a possible next version, with an OpenAPI document, and a migration for both
 * databases.
 */
async function bundleNextVersion(folder: string): Promise<void> {
  await bundleVersion(folder, REPLACEMENTS);
  for (const migrations of MIGRATIONS) {
    const journalFile = join(folder, 'api', migrations, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8'));
    const { idx, when, ...last } = journal.entries.at(-1);
    journal.entries.push({ ...last, idx: idx + 1, when: when + 1, tag: 'next' });
    writeFileSync(journalFile, JSON.stringify(journal));
    const sql = `ALTER TABLE "guilds" ADD "planted" text DEFAULT 'x' NOT NULL;`;
    writeFileSync(join(folder, 'api', migrations, 'next.sql'), sql);
  }
}

const MIGRATIONS = ['src/store/sqlite/migrations', 'src/store/postgres/migrations'];

/**
 * The OpenAPI document, whose libraries are half of the service, and the translations of zod's messages, which are half
 * of the reader.
 */
const DOCUMENT = leftOut('apps/api/src/openapi/document.ts', 'export const openApiDocument = () => ({});');
const TRANSLATIONS = leftOut('zod/v4/locales/index.js', "export { default as en } from './en.js';");

/**
 * Writes the service and its reader from the present sources into a folder: `reader/program/main.mjs`, the program of
 * `reader.ts`, and `api/dist`, with the service `main.js`, its thread and `migrate.js`, each as one file that needs
 * Node, better-sqlite3 and undici.
 * @param replacements changes of the sources; with them, the service includes its OpenAPI document
 */
export async function bundleVersion(folder: string, replacements: readonly Replacement[] = []): Promise<void> {
  const plugins = [...(replacements.length > 0 ? [replaced(replacements)] : [DOCUMENT]), TRANSLATIONS];
  mkdirSync(join(folder, 'api/dist'), { recursive: true });
  await Promise.all([
    bundle(fileURLToPath(new URL('reader.ts', import.meta.url)), join(folder, 'reader/program/main.mjs'), plugins),
    bundle(join(API, 'src/main.ts'), join(folder, 'api/dist/main.js'), plugins),
    bundle(join(API, 'src/store/sqlite/checkpoint-thread.ts'), join(folder, 'api/dist/checkpoint-thread.js'), plugins),
    bundle(join(API, 'src/cli/migrate.ts'), join(folder, 'api/dist/migrate.js'), plugins),
  ]);
  // The service reads its version and its migrations from the folder of its package.
  const { name, version, type } = JSON.parse(readFileSync(join(API, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'api/package.json'), `${JSON.stringify({ name, version, type }, null, 2)}\n`);
  const copied = { recursive: true, filter: (path: string) => !path.endsWith('_snapshot.json') };
  for (const migrations of MIGRATIONS) cpSync(join(API, migrations), join(folder, 'api', migrations), copied);
  // The replica finds its migration beside the folder of the reader's program.
  cpSync(join(ROOT, 'packages/replica/migrations'), join(folder, 'reader/migrations'), copied);
}

/**
 * External modules: native code, half of the reader, the script of the api's documentation, and one that is not
 * installed.
 */
const EXTERNAL = ['better-sqlite3', 'undici', '@scalar/fastify-api-reference', 'pg-native'];

/** Globals that CommonJS modules expect. */
const COMMON_JS = `import { createRequire as requireFor } from 'node:module';
const require = requireFor(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

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

/** Returns a plugin that replaces a module, by the end of its path. */
function leftOut(path: string, contents: string): Plugin {
  return {
    name: path,
    setup(builder) {
      builder.onLoad({ filter: endOf(path) }, (args) => ({ contents, resolveDir: dirname(args.path) }));
    },
  };
}

/**
 * Returns a plugin that changes sources. A replacement whose text is not found is an error, unless the module is not
 * used.
 */
function replaced(replacements: readonly Replacement[]): Plugin {
  return {
    name: 'replaced',
    setup(builder) {
      for (const path of new Set(replacements.map(({ module }) => module))) {
        builder.onLoad({ filter: endOf(path) }, (args) => {
          let contents = readFileSync(args.path, 'utf8');
          for (const { module, text, by } of replacements) {
            if (module !== path) continue;
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
