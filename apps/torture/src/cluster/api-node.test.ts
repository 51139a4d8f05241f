import { expect, test } from 'vitest';
import { isWorkerCrash } from './api-node.ts';

const lineOf = (end: object, msg = 'a worker has ended, and is replaced') =>
  JSON.stringify({ level: 50, time: 1, pid: 2, worker: 3, ...end, msg });

test.each([
  ['by an exit code', { code: 1, signal: null }, true],
  ['by a signal that no fault sends', { code: null, signal: 'SIGABRT' }, true],
  ['by the fault that kills workers', { code: null, signal: 'SIGKILL' }, false],
] as const)('a worker that ended %s: crash is %s', (_, end, isCrash) => {
  expect(isWorkerCrash(lineOf(end))).toBe(isCrash);
});

test('a worker that could not start while its database was away has not crashed', () => {
  expect(isWorkerCrash(lineOf({ code: 1, signal: null }, 'a worker could not start, and is started again'))).toBe(
    false,
  );
});
