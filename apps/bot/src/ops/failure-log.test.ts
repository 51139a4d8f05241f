import { expect, test } from 'vitest';
import { connectionLog, warnOnce } from './failure-log.ts';

function recorder() {
  const lines: { readonly fields: unknown; readonly message: string }[] = [];
  const record = (fields: unknown, message = '') => void lines.push({ fields, message });
  return { lines, logger: { warn: record, info: (message: unknown) => record({}, String(message)) } };
}

test('failures that alternate are each logged once a minute, with the number of those left out', () => {
  const { lines, logger } = recorder();
  let now = 0;
  const warn = warnOnce({ logger, message: 'failed', clock: () => now });
  const [one, other] = [new Error('one'), new Error('other')];
  for (let turn = 0; turn < 10; turn += 1) {
    warn(one, { reminder: 7 });
    warn(other);
  }
  expect(lines.map(({ fields }) => fields)).toEqual([{ err: one, reminder: 7 }, { err: other }]);
  now += 60_000;
  warn(one);
  expect(lines.at(-1)?.fields).toEqual({ err: one, leftOut: 9 });
});

test('a connection is logged when it is lost and when it is back, whatever fails in between', () => {
  const { lines, logger } = recorder();
  const log = connectionLog({ logger, lost: 'lost', back: 'back' });
  log.recovered();
  expect(log.failed(new Error('one'))).toBe(true);
  expect(log.failed(new Error('two'))).toBe(false);
  log.recovered();
  log.recovered();
  log.failed(new Error('three'));
  expect(lines.map(({ message }) => message)).toEqual(['lost', 'back', 'lost']);
});
