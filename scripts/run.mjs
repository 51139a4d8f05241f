import { spawn } from 'node:child_process';
import { once } from 'node:events';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onNpxEnd } from './npx-process.mjs';
import { requireNode } from './own-node.mjs';

/**
 * Runs a program of this repository in this process, after the builds that it needs: `node
 * --conditions=@guild-settings/source --enable-source-maps scripts/run.mjs apps/sandbox/src/main.ts --json`.
 */
const [program = ''] = process.argv.splice(2, 1);

/** The folder in which V8 keeps compiled sources, so that the next start takes half of the time. */
const COMPILE_CACHE = 'node_modules/.cache/compiled';

/**
 * The arguments of turbo for the builds that a program needs: its bundle, the page, or the programs that it starts in
 * deployed form.
 */
const BUILDS = new Map([
  ['apps/sandbox/dist/main.js', ['build', '--filter=./apps/sandbox']],
  ['apps/sandbox/src/demo/main.ts', ['build', '--filter=./apps/api...', '--filter=./apps/bot...']],
  ['apps/sandbox/src/dev/main.ts', ['page']],
  ['apps/bench/dist/main.js', ['build', '--filter=./apps/bench...']],
  ['apps/torture/dist/main.js', ['build', '--filter=./apps/torture...']],
]);

/** Time after which a message states what is being waited for. */
const PATIENCE_MS = 2_000;

requireNode();
module.enableCompileCache(COMPILE_CACHE);

const stopping = new AbortController();
onNpxEnd(() => {
  stopping.abort();
  // The program handles it as its own stop signal.
  process.kill(process.pid, 'SIGTERM');
});

const build = BUILDS.get(program);
// The help of a source needs no build.
const isHelp = program.endsWith('.ts') && process.argv.includes('--help');
if (build === undefined || isHelp || (await succeeds(build))) {
  await import(pathToFileURL(resolve(program)).href);
}

/** Builds, and prints the output of turbo on standard error if that fails: standard output belongs to the program. */
async function succeeds(task) {
  const turbo = spawn(join('node_modules', '.bin', 'turbo'), ['run', ...task, '--output-logs=errors-only'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    signal: stopping.signal,
  });
  turbo.on('error', (error) => console.error(error.message));
  const announcement = setTimeout(
    () => console.error('Building, which takes some seconds the first time.'),
    PATIENCE_MS,
  );
  const output = [];
  for (const stream of [turbo.stdout, turbo.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const [exitCode] = await once(turbo, 'close');
  clearTimeout(announcement);
  if (exitCode === 0) return true;
  process.stderr.write(Buffer.concat(output));
  process.exitCode = exitCode ?? 1;
  return false;
}
