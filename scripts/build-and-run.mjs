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

/** The time after which a person is told what is waited for. */
const PATIENCE_MS = 2_000;

// An installation that cannot compile SQLite goes on without it.
try {
  const Database = createRequire(resolve('apps/api/package.json'))('better-sqlite3');
  new Database(':memory:').close();
} catch (error) {
  const [reason] = String(error.message).split('\n');
  console.error(`SQLite cannot be loaded: ${reason}
If there is no prebuilt one for this system, install Python 3, make and a C++ compiler (Debian: apt-get install python3 make g++), then run the
command again. After a change of the version of Node, run: npx --yes pnpm@12 rebuild -r better-sqlite3`);
  process.exit(1);
}

const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo');
const [folder] = program.split('/dist/');
const task = ['run', 'build', `--filter=./${folder}...`, '--output-logs=errors-only'];
const build = spawn(process.execPath, [turbo, ...task], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
});

onNpxEnd(() => {
  build.kill();
  // The program handles it as its own stop signal.
  process.kill(process.pid, 'SIGTERM');
});

// Standard output is for the program, and what turbo prints for the case that the build fails.
const announcement = setTimeout(
  () => console.error('Building, which takes a minute or two the first time.'),
  PATIENCE_MS,
);
const output = [];
for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk) => output.push(chunk));
const [exitCode] = await once(build, 'close');
clearTimeout(announcement);
if (exitCode === 0) await import(pathToFileURL(resolve(program)).href);
else {
  process.stderr.write(Buffer.concat(output));
  process.exitCode = exitCode ?? 1;
}
