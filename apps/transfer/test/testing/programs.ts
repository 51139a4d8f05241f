import { fileURLToPath } from 'node:url';
import { type Program, type ProgramOptions, startProgram } from '@guild-settings/testing';

/** Starts the built `import` or `export` in a folder. */
export function startTransfer(
  name: 'import' | 'export',
  args: readonly string[],
  options: Pick<ProgramOptions, 'env' | 'cwd' | 'stdout'>,
): Program {
  const file = fileURLToPath(new URL(`../../dist/${name}/main.js`, import.meta.url));
  return startProgram({ args: [file, ...args], ...options });
}
