import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onNpxEnd } from './npx-process.mjs';

/**
 * Builds a package and those that it depends on, then runs its program in this process:
 * `node scripts/build-and-run.mjs apps/sandbox/dist/main.js --json`.
 */
const [program = ''] = process.argv.splice(2, 1);

/** Standard output is for the program. */
const STANDARD_ERROR = 2;

const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo');
const [folder] = program.split('/dist/');
const task = ['run', 'build', `--filter=./${folder}...`, '--output-logs=errors-only'];
const build = spawn(process.execPath, [turbo, ...task], {
  stdio: ['ignore', STANDARD_ERROR, STANDARD_ERROR],
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
});

onNpxEnd(() => {
  build.kill();
  // The program handles it as its own stop signal.
  process.kill(process.pid, 'SIGTERM');
});

const [exitCode] = await once(build, 'exit');
if (exitCode === 0) await import(pathToFileURL(resolve(program)).href);
else process.exitCode = exitCode ?? 1;
