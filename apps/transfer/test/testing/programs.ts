import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';

/** Starts the built `import` or `export` in a folder. */
export function startTransfer(
  name: 'import' | 'export',
  args: readonly string[],
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Program {
  const file = fileURLToPath(new URL(`../../dist/${name}/main.js`, import.meta.url));
  return startProgram({ args: [file, ...args], env, cwd });
}
