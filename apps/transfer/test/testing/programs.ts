import { fileURLToPath } from 'node:url';
import { type Exit, type Program, startProgram } from '@guild-settings/testing';

/** How a program ended, and what it printed. */
export interface Ended extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built `import` or `export` in a folder. */
export function startTransfer(
  name: 'import' | 'export',
  args: readonly string[],
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Program {
  const file = fileURLToPath(new URL(`../../dist/${name}/main.js`, import.meta.url));
  return startProgram({ args: [file, ...args], env, cwd });
}

/** Waits for the end of a program. */
export async function ended(program: Program): Promise<Ended> {
  const exit = await program.exited;
  return { ...exit, stdout: program.stdout(), stderr: program.stderr() };
}
