import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Built: Node 20 runs no TypeScript. */
const OUTPUT = new URL('../../dist/log/log-output.js', import.meta.url).href;

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

test('a log whose disk is full is reported once, and does not end the process', () => {
  const program = `
    import { openLogOutput } from ${JSON.stringify(OUTPUT)};
    const output = openLogOutput();
    for (let round = 0; round < 20; round += 1) {
      for (let index = 0; index < 1_000; index += 1) output.write('a line of a hundred characters'.padEnd(100, '.') + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.exitCode = 7;`;
  const args = ['--input-type=module', '--eval', program];
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  expect(stderr).toMatch(/^The log cannot be written: ENOSPC.*\. Lines beyond 1048576 bytes are lost\.\n$/);
  expect(status).toBe(7);
});

test('lines that could not be written are written when there is room again', () => {
  const program = `
    import fs from 'node:fs';
    import { openLogOutput } from ${JSON.stringify(OUTPUT)};
    const output = openLogOutput();
    const write = fs.writeSync;
    const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
    fs.writeSync = (descriptor, ...rest) => {
      if (descriptor === 1) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return write(descriptor, ...rest);
    };
    output.write('first\\n');
    await tick();
    output.write('second\\n');
    await tick();
    fs.writeSync = write;
    output.write('third\\n');
    await tick();`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toBe('first\nsecond\nthird\n');
  expect(stderr).toMatch(/^The log cannot be written: .*\nThe log can be written again\.\n$/);
});
