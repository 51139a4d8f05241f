import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Built: Node 20 runs no TypeScript. */
const OUTPUT = new URL('../../dist/ops/log-output.js', import.meta.url).href;

const LINES = Array.from({ length: 3_000 }, (_, index) => `${index} of many lines`);

test.each([
  ['ends', '', 0],
  ['exits while lines are buffered', 'process.exit(3)', 3],
  ['crashes while lines are buffered', "throw new Error('crash')", 1],
])('no line is lost, and the order stays, when the process %s', (_how, statement, status) => {
  const program = `
    import { openLogOutput } from ${JSON.stringify(OUTPUT)};
    process.on('uncaughtException', () => process.exit(1));
    const output = openLogOutput();
    for (let index = 0; index < ${LINES.length}; index += 1) output.write(index + ' of many lines\\n');
    ${statement}`;
  const args = ['--input-type=module', '--eval', program];
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(ended.stdout.trimEnd().split('\n')).toStrictEqual(LINES);
  expect(ended.status, ended.stderr).toBe(status);
});
