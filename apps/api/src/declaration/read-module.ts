import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { type BuildFailure, buildSync, type Message } from 'esbuild';
import { PACKAGE_FOLDER } from '../own-package.ts';
import { type FileData, fileFlaw, readJsonFile } from './read-declaration.ts';

const EXPORTS = ['settings', 'default'];

/**
 * The package from which teams import `defineSettings`, and the one that it is resolved to, which opens no database.
 */
const [REPLICA, DECLARATIONS] = ['@guild-settings/replica', '@guild-settings/contract/settings'] as const;

/** The node_modules of this package, where `DECLARATIONS` is found if the team has not installed it. */
const OWN_MODULES = fileURLToPath(new URL('node_modules', PACKAGE_FOLDER));

/** Reads the data of a `.json` file, or the exported declaration of a TypeScript or JavaScript module. */
export function readFileOrModule(file: string): FileData {
  return /\.[cm]?[jt]s$/.test(file) ? readModule(file) : readJsonFile(file);
}

function readModule(file: string): FileData {
  const { code, warnings } = bundle(file);
  const exported = run(file, code);
  const name = EXPORTS.find((name) => exported[name] !== undefined);
  if (name === undefined) {
    throw fileFlaw(file, 'expected an export: export const settings = defineSettings({ ... })');
  }
  const duplicates = warnings.filter(({ id }) => id === 'duplicate-object-key');
  return { data: exported[name], flaws: duplicates.map((warning) => ({ path: [], message: lineOf(warning) })) };
}

function bundle(file: string): { readonly code: string; readonly warnings: readonly Message[] } {
  try {
    const { outputFiles, warnings } = buildSync({
      entryPoints: [resolve(file)],
      write: false,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      target: 'node22',
      conditions: ['@guild-settings/source'],
      nodePaths: [OWN_MODULES],
      alias: { [REPLICA]: DECLARATIONS },
      logLevel: 'silent',
    });
    return { code: outputFiles[0]?.text ?? '', warnings };
  } catch (error) {
    const { errors = [] } = error as Partial<BuildFailure>;
    throw fileFlaw(file, `expected a module that can be bundled: ${errors.map(lineOf).join('; ') || error}`);
  }
}

function run(file: string, code: string): Readonly<Record<string, unknown>> {
  const path = resolve(file);
  const module = { exports: {} };
  try {
    const script = compileFunction(code, ['module', 'exports', 'require'], { filename: path });
    script(module, module.exports, createRequire(path));
    return module.exports;
  } catch (error) {
    throw fileFlaw(file, `expected a module that can be run: ${error}`);
  }
}

function lineOf({ location, text }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}
