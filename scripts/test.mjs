import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onNpxEnd } from './npx-process.mjs';
import { requireNode } from './own-node.mjs';
import { reportOf } from './test-report.mjs';

/**
 * Runs lint, the type checks and the tests of every package with turbo, in the folder of the repository. The last lines
 * contain the failures, the results replayed from turbo's cache, the slowest test files, and the number of tests.
 * `--all` also runs the second ring of tests, `--thorough` the third: docs/decisions/0060-three-rings.md. Passes its
 * other arguments to turbo.
 */

requireNode();

const RINGS = ['--all', '--thorough'];
const isThorough = process.argv.includes('--thorough');
const isAll = isThorough || process.argv.includes('--all');

const TASKS = ['//#lint', '//#typecheck', ...(isThorough ? ['//#unused'] : []), isAll ? 'test:all' : 'test'];

/** The folder in which turbo writes a summary of each run, as `<id>.json`. */
const SUMMARIES = join('.turbo', 'runs');

console.log(
  isThorough
    ? 'Lint, types and all tests at volume: more than an hour on two cores.'
    : 'Lint, types and tests: some minutes on two cores. Results of what has not changed are replayed.',
);
rmSync(SUMMARIES, { recursive: true, force: true });
// A failing task does not prevent others from running, even later ones. Most tests wait more than they compute, so
// there are more tasks than cores; with all of them at once, a slow machine would exceed the deadlines of clients.
const arguments_ = process.argv.slice(2).filter((argument) => !RINGS.includes(argument));
const options = ['--continue=always', '--concurrency=2', '--summarize', ...arguments_];
const env = { ...process.env, ...(isThorough && { THOROUGH: '1' }) };
const turbo = spawn(join('node_modules', '.bin', 'turbo'), ['run', ...TASKS, ...options], { stdio: 'inherit', env });
// Ctrl-C also reaches turbo: the report follows when it has ended.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => turbo.kill('SIGTERM'));
onNpxEnd(() => turbo.kill('SIGTERM'));
const [exitCode] = await once(turbo, 'close');

const [summary] = existsSync(SUMMARIES) ? readdirSync(SUMMARIES) : [];
if (summary === undefined) {
  console.error('Expected a summary of the run from turbo, found none: it ran nothing.');
  process.exitCode = exitCode || 1;
} else {
  const { lines, isPassed } = reportOf(JSON.parse(readFileSync(join(SUMMARIES, summary), 'utf8')));
  console.log(lines.join('\n'));
  process.exitCode = exitCode || (isPassed ? 0 : 1);
}
