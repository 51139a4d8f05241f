import { closeSync, openSync } from 'node:fs';
import { startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const OUTPUT = new URL('log.ts', import.meta.url).href;

const run = (program: string, stdout?: number) =>
  startProgram({
    args: ['--input-type=module', '--eval', program],
    ...(stdout !== undefined && { stdout }),
  }).finished();

const LINES = Array.from({ length: 3_000 }, (_, index) => `${index} of many lines`);

test.each([
  ['ends', '', 0],
  ['exits while lines are buffered', 'process.exit(3)', 3],
  ['crashes while lines are buffered', "throw new Error('crash')", 1],
])('no line is lost, and the order stays, when the process %s', async (_how, statement, code) => {
  const program = `
    import { openLogOutput } from ${JSON.stringify(OUTPUT)};
    process.on('uncaughtException', () => process.exit(1));
    const output = openLogOutput();
    for (let index = 0; index < ${LINES.length}; index += 1) output.write(index + ' of many lines\\n');
    ${statement}`;
  const ended = await run(program);
  expect(ended.stdout.trimEnd().split('\n')).toStrictEqual(LINES);
  expect(ended.code, ended.stderr).toBe(code);
});

test('a log whose disk is full is reported once, and does not end the process', async () => {
  const program = `
    import { openLogOutput } from ${JSON.stringify(OUTPUT)};
    const output = openLogOutput();
    for (let round = 0; round < 20; round += 1) {
      for (let index = 0; index < 1_000; index += 1) output.write('a line of a hundred characters'.padEnd(100, '.') + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    process.exitCode = 7;`;
  const full = openSync('/dev/full', 'w');
  const { code, stderr } = await run(program, full);
  closeSync(full);
  expect(stderr).toMatch(/^The log cannot be written: ENOSPC.*\. Lines beyond 1048576 bytes are lost\.\n$/);
  expect(code).toBe(7);
});

test('lines that could not be written are written when there is room again', async () => {
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
  const { stdout, stderr } = await run(program);
  expect(stdout).toBe('first\nsecond\nthird\n');
  expect(stderr).toMatch(/^The log cannot be written: .*\nThe log can be written again\.\n$/);
});

const MODULE = new URL('log.ts', import.meta.url).href;

/** Runs a program that fails with a secret on its error. */
function crash(statement: string) {
  const program = `
    const { createRedactor, exitOnCrash } = await import(${JSON.stringify(MODULE)});
    exitOnCrash(createRedactor({ secrets: ['secret-of-the-run'] }));
    const error = Object.assign(new Error('failed with secret-of-the-run'), {
      url: 'http://127.0.0.1/interactions/1/abcdefghij/callback', requestBody: 'what-a-person-wrote', code: 'E_FAILED' });
    ${statement}
    setTimeout(() => console.log('still there'), 200);`;
  const args = ['--input-type=module', '--eval', program];
  return startProgram({ args }).finished();
}

test.each(['setImmediate(() => { throw error; });', 'Promise.reject(error);'])(
  'a crash ends the process with code 1 and shows no secret: %s',
  async (statement) => {
    const { code, stdout, stderr } = await crash(statement);
    expect(stderr).toMatch(/E_FAILED/);
    expect(stderr).toMatch(/interactions\/1\/\[redacted\]\/callback/);
    expect(stderr).not.toMatch(/secret-of-the-run|what-a-person-wrote|abcdefghij/);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
  },
);
