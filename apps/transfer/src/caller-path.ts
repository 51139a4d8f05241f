import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns the absolute path of a file that the caller named. A package manager runs a script in the folder of the repository,
 * and passes on the folder in which the person is.
 */
export function callerPath(path: string, env: NodeJS.ProcessEnv = process.env, workingFolder = process.cwd()): string {
  const isRepository = resolve(workingFolder) === resolve(REPOSITORY);
  return resolve(isRepository && env.INIT_CWD ? env.INIT_CWD : workingFolder, path);
}
