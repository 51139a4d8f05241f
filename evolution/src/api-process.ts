import { join } from 'node:path';
import { type Program, startProgram } from '@guild-settings/testing';

/** A version of the service as a process. */
export interface ApiProcess extends Program {
  readonly url: string;
}

/**
 * Starts the service of a version, as one process, and waits until it listens.
 * @param folder the folder of the version
 * @param env its environment; without a port it takes a free one
 */
export async function startApi(folder: string, env: NodeJS.ProcessEnv): Promise<ApiProcess> {
  const program = startProgram({
    args: [join(folder, 'api/program/main.mjs')],
    env: { PORT: '0', ...env },
  });
  const [, url = ''] = await program.waitForOutput(/listening at (http:\/\/[^"]+)"/);
  return { ...program, url };
}
