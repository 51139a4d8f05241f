import { join } from 'node:path';
import { type Program, runProgramToEnd, startProgram, waitUntil } from '@guild-settings/testing';

/** A version of the service as a process. */
export interface ApiProcess extends Program {
  readonly url: string;
}

/**
 * Migrates a PostgreSQL database to the schema of a version.
 * @param node the executable of Node; that of this process unless given
 */
export async function migrate(folder: string, env: NodeJS.ProcessEnv, node = process.execPath): Promise<void> {
  await runProgramToEnd({ file: node, args: [join(folder, 'api/dist/migrate.js')], env });
}

/**
 * Starts the service of a version, as one process, and waits until it is ready.
 * @param folder the folder of the version
 * @param env its environment; without a port it takes a free one
 * @param node the executable of Node; that of this process unless given
 */
export async function startApi(folder: string, env: NodeJS.ProcessEnv, node = process.execPath): Promise<ApiProcess> {
  const program = startProgram({
    file: node,
    args: [join(folder, 'api/dist/main.js')],
    env: { PORT: '0', ...env },
  });
  const [, url = ''] = await program.waitForOutput(/listening at (http:\/\/[^"]+)"/);
  const isReady = () => fetch(`${url}/readyz`).then(({ ok }) => ok);
  await waitUntil(isReady, { message: `${url}/readyz` });
  return { ...program, url };
}
