import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** Built: Node 20 runs no TypeScript. */
const MODULE = new URL('../../dist/command-line/index.js', import.meta.url).href;

const PROGRAM = `{ summary: 'Waits.', usage: ['wait [--long]'], options: { long: flag('wait long\\nand longer') } }`;

/** Starts a program whose main function is given, and reads its output. */
function start(main: string, ...args: string[]) {
  const source = `import { flag, runProgram, stopSignal, UsageError } from ${JSON.stringify(MODULE)};
    await runProgram(${PROGRAM}, async (values) => { ${main} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, '--', 'program', ...args]);
  const ended = Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code, signal]]) => ({ stdout, stderr, code, signal }),
  );
  return { child, ended };
}

/** Starts a program that waits for a signal, and waits until it does. */
async function startWaiting(options: string, then: string) {
  const program = start(`const stop = stopSignal(${options});
    const alive = setInterval(() => {}, 1_000);
    stop.addEventListener('abort', () => { console.log(stop.reason.message, stop.reason.exitCode); ${then} });
    console.log('waiting');`);
  await once(program.child.stdout, 'data');
  return program;
}

test('help lists the options in columns', async () => {
  const { stdout, code } = await start('', '--help').ended;
  expect(code).toBe(0);
  expect(stdout).toBe(`Waits.

  wait [--long]

Options
  --long      wait long
              and longer
  -h, --help  print this
`);
});

test('wrong arguments are exit code 2 and a line about --help, other errors exit code 1 and their stack', async () => {
  expect(await start('', '--colour').ended).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Unknown option '--colour'.*\n--help lists the options.\n$/),
  });
  expect(await start('throw new Error("broken")').ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Error: broken\n {4}at /),
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('the first %s aborts, and the program ends by itself', async (signal) => {
  const { child, ended } = await startWaiting('', 'setTimeout(() => clearInterval(alive), 200)');
  child.kill(signal);
  child.kill(signal);
  const { stdout, code } = await ended;
  expect(code).toBe(0);
  expect(stdout).toContain(`Interrupted by ${signal} ${signal === 'SIGINT' ? 130 : 143}\n`);
});

test('a program that does not end in time exits with code 1', async () => {
  const { child, ended } = await startWaiting('{ timeoutMs: 100 }', '');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 1 });
});

test('a second signal ends the process at once, where that is wanted', async () => {
  const { child, ended } = await startWaiting('{ second: "end" }', '');
  child.kill('SIGINT');
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: null, signal: 'SIGINT' });
});
