import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';

/** The built program. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The built service as a process of its own. */
export interface ApiProcess extends Program {
  readonly url: string;
}

/** Starts the built service on a free port and waits until it listens. */
export async function startApiProcess(env: NodeJS.ProcessEnv, args: readonly string[] = []): Promise<ApiProcess> {
  const program = spawnApi({ PORT: '0', ...env }, args);
  const [, url = ''] = await program.waitForOutput(/listening at (http:\/\/[^"]+)"/);
  return { ...program, url };
}

/** Starts the built service and does not wait for it. */
export function spawnApi(env: NodeJS.ProcessEnv, args: readonly string[] = []): Program {
  return startProgram({ args: [MAIN, ...args], env });
}
