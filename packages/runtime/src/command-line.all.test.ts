import { startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const MODULE = new URL('command-line.ts', import.meta.url).href;

const PROGRAM = `{ summary: 'Waits.', usage: ['wait [--long]'], options: { long: flag('wait long\\nand longer') } }`;

function start(main: string, ...args: string[]) {
  const source = `import { flag, runProgram, stopSignal, UsageError } from ${JSON.stringify(MODULE)};
    await runProgram(${PROGRAM}, async (values) => { ${main} });`;
  return startProgram({ args: ['--input-type=module', '-e', source, '--', 'program', ...args] });
}

/** Starts a program that waits for a signal, and resolves when it does. */
async function startWaiting(options: string, then: string) {
  const program = start(`const stop = stopSignal(${options});
    const alive = setInterval(() => {}, 1_000);
    stop.addEventListener('abort', () => { console.log(stop.reason.message, stop.reason.exitCode); ${then} });
    console.log('waiting');`);
  await program.waitForOutput(/waiting/);
  return program;
}

test('help lists the options in columns', async () => {
  const { stdout, code } = await start('', '--help').finished();
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
  expect(await start('', '--colour').finished()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Unknown option '--colour'.*\n--help lists the options.\n$/),
  });
  expect(await start('throw new Error("broken")').finished()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Error: broken\n {4}at /),
  });
});

test.each(['SIGINT', 'SIGTERM'] as const)('the first %s aborts, and the program ends by itself', async (signal) => {
  const program = await startWaiting('', 'setTimeout(() => clearInterval(alive), 200)');
  program.signal(signal);
  program.signal(signal);
  const { stdout, code } = await program.finished();
  expect(code).toBe(0);
  expect(stdout).toContain(`Interrupted by ${signal} ${signal === 'SIGINT' ? 130 : 143}\n`);
});

test('a program that does not end in time exits with code 1', async () => {
  const program = await startWaiting('{ timeoutMs: 100 }', '');
  program.signal('SIGTERM');
  expect(await program.finished()).toMatchObject({ code: 1 });
});

test('a second signal ends the process at once, where that is wanted', async () => {
  const program = await startWaiting('{ second: "end" }', '');
  program.signal('SIGINT');
  await program.waitForOutput(/Interrupted/);
  program.signal('SIGINT');
  expect(await program.finished()).toMatchObject({ code: null, signal: 'SIGINT' });
});
