import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { context, type Plugin } from 'esbuild';

/** The folder of the repository, without symbolic links, as the files of a bundle are named. */
export const REPOSITORY = realpathSync(fileURLToPath(new URL('../../../..', import.meta.url)));

/** The module of the services, with everything of this repository that it imports. */
const ENTRY = join(REPOSITORY, 'apps/sandbox/src/run-until-stopped.ts');

/** Imports of packages. */
const PACKAGE = /^[^./]/;

/** The start of the names of this repository's packages. */
const OWN_SCOPE = '@guild-settings/';

/** A bundle of the repository's own code. */
export interface OwnCode {
  /** The URL of the module. */
  readonly module: string;
  /** The URLs of modules of other authors that it imports. */
  readonly dependencies: readonly string[];
}

/** Builds the services from their sources, and again where those have changed. */
export interface OwnCodeBuilder {
  /** The files of the last build that had no errors. */
  inputs(): ReadonlySet<string>;
  /** Returns null when the sources have errors, after it has printed them; the last bundle is kept. */
  build(): Promise<OwnCode | null>;
  close(): Promise<void>;
}

/** @param folder where the bundle is written */
export async function createOwnCodeBuilder(folder: string): Promise<OwnCodeBuilder> {
  const outfile = join(folder, 'services.mjs');
  const builder = await context({
    absWorkingDir: REPOSITORY,
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['@guild-settings/source'],
    plugins: [ownCodeOnly],
    sourcemap: true,
    logLevel: 'error',
    metafile: true,
  });
  let inputs = new Set<string>();
  return {
    inputs: () => inputs,
    async build() {
      const { metafile } = await builder.rebuild().catch(() => ({ metafile: null }));
      if (metafile === null) return null;
      inputs = new Set(Object.keys(metafile.inputs).map((path) => join(REPOSITORY, path)));
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
      const dependencies = imports.filter(({ path, kind }) => kind === 'import-statement' && path.startsWith('file:'));
      return { module: pathToFileURL(outfile).href, dependencies: dependencies.map(({ path }) => path) };
    },
    close: () => builder.dispose(),
  };
}

/** Leaves dependencies out of the bundle: most of the time of a build would be theirs. They are imported by their URLs. */
const ownCodeOnly: Plugin = {
  name: 'own-code-only',
  setup(build) {
    const urls = new Map<string, string>();
    build.onResolve({ filter: PACKAGE }, async ({ path, pluginData, kind, resolveDir }) => {
      if (pluginData === ownCodeOnly || isBuiltin(path) || path.startsWith(OWN_SCOPE)) return undefined;
      // The catalog has one version of each.
      const known = urls.get(path);
      if (known !== undefined) return { path: known, external: true };
      const found = await build.resolve(path, { kind, resolveDir, pluginData: ownCodeOnly });
      if (found.errors.length > 0) return found;
      const { href } = pathToFileURL(found.path);
      urls.set(path, href);
      return { path: href, external: true };
    });
    // Modules find their files from where their sources are.
    build.onLoad({ filter: /\/src\/.+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { loader: 'ts', contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};
