import { expect, test } from 'vitest';
import type { History, LogEntry, Operation, Seen } from '../history.ts';
import {
  A,
  back,
  CLEAN,
  entry,
  erasure,
  kindsIn,
  operation,
  read,
  refused,
  seen,
  undo,
  WATCHED,
  whole,
  write,
} from '../testing/example-history.ts';
import type { AnomalyKind } from './anomalies.ts';
import { check } from './check.ts';

/** An erasure that was acknowledged, of any revision unless one is given. */
const erasing = ([start, end]: [number, number], own: Partial<Operation> = {}) =>
  operation({ kind: 'erase', start, end, outcome: { kind: 'ok', seen: DEFAULTS }, ...own });

const DEFAULTS: Seen = { revision: 0, prefix: '!', channel: '' };
const nothing = { outcome: { kind: 'ok', seen: DEFAULTS } } as const;

/**
 * A guild that is changed, by an operation of unknown outcome as well, reported by the bot, erased, and changed again. The log has
 * the erasure and what is after it.
 */
const ERASED: History = {
  ...CLEAN,
  operations: [
    write(1, 'one', [1, 2]),
    operation({ kind: 'write', mark: 'two', start: 3, end: 4, outcome: { kind: 'unknown', why: 'cut' } }),
    read(3, 'two', [5, 6]),
    erasing([7, 8], { ifMatch: 3 }),
    read(0, '!', [9, 10], nothing),
    undo(1, 0, '', refused('revision-unknown')),
    erasing([14, 15], { ifMatch: 1, outcome: refused('revision-mismatch') }),
    write(5, 'five', [16, 17], { ifMatch: 0 }),
  ],
  snapshot: {
    lastRevision: 5,
    oldestRevision: 1,
    log: [erasure(4, A), entry(5, 'five', '!')],
    guilds: new Map([[A, seen(5, 'five')]]),
  },
  histories: [
    { ...whole, start: 5, end: 6, lines: [{ revision: 1, from: '!', to: 'one' }] },
    { ...whole, start: 11, end: 12, lines: [] },
  ],
  pastReads: [
    { guild: A, process: 0, start: 5, at: 1, seen: seen(1, 'one') },
    { guild: A, process: 0, start: 11, at: 1, seen: undefined },
  ],
  watched: [{ ...WATCHED, records: new Map([[A, seen(5, 'five')]]), received: [{ guild: A, seen: seen(3, 'two') }] }],
};
const erased = (...more: Operation[]): History => ({ ...ERASED, operations: [...ERASED.operations, ...more] });
const withErasure = (other: Operation): History => ({
  ...ERASED,
  operations: ERASED.operations.map((one) => (one.end === 8 ? other : one)),
});
const erasedLog = (log: readonly LogEntry[]): History => ({
  ...ERASED,
  snapshot: { ...ERASED.snapshot, log, lastRevision: log.at(-1)?.revision ?? 0 },
});

test('an erasure, what it erased and what came after it are no anomaly', () => {
  expect(check(ERASED)).toEqual(check(CLEAN));
  expect(
    kindsIn(check(withErasure(erasing([7, 8], { ifMatch: 3, outcome: { kind: 'unknown', why: 'cut' } })))),
  ).toEqual([]);
  expect(kindsIn(check(withErasure(erasing([7, 8]))))).toEqual([]);
});

test('an erased guild that the bot has reported again, and that is erased again, is no anomaly', () => {
  const reported = { ...entry(5, '', ''), reason: null, before: { name: null }, after: { name: 'A' } };
  const operations = [...ERASED.operations.slice(0, 5), erasing([16, 17], { ifMatch: 0 }), erasing([18, 19])];
  const log = [erasure(4, A), erasure(6, A)];
  const guilds = new Map();
  const watched = [{ ...WATCHED, records: guilds, received: [] }];
  const snapshot = { lastRevision: 6, oldestRevision: 1, log, guilds };
  expect(kindsIn(check({ ...ERASED, operations, watched, snapshot }))).toEqual([]);
  const told = { ...snapshot, log: log.toSpliced(1, 0, reported) };
  expect(kindsIn(check({ ...ERASED, operations, watched, snapshot: told }))).toEqual(['resurrected']);
});

test.each<[string, AnomalyKind, History]>([
  [
    'an erasure that was refused',
    'erased',
    withErasure(erasing([7, 8], { ifMatch: 3, outcome: refused('store-unavailable') })),
  ],
  ['an erasure of a newer revision', 'erased', erased(write(2, 'newest', [4, 5]), erasing([5, 6], { ifMatch: 1 }))],
  ['an acknowledged erasure that the log has not', 'lost', erased(erasing([20, 21], { ifMatch: 5 }))],
  [
    'a gap that no erasure explains',
    'lost',
    { ...ERASED, operations: ERASED.operations.filter(({ kind }) => kind === 'erase'), watched: [], histories: [] },
  ],
  ['a change of an erased guild in the log', 'resurrected', erasedLog([entry(1, 'one', '!'), ...ERASED.snapshot.log])],
  ['an undo of an erased change', 'resurrected', erasedLog([erasure(4, A), back(5, 'undo', 1, ['!', 'one'])])],
  ['a restore of an erased value', 'resurrected', erased(read(6, 'one', [20, 21]))],
  ['a record that is read after its erasure', 'resurrected', erased(read(3, 'two', [9, 10]))],
  [
    'the past of a guild that is read after its erasure',
    'resurrected',
    { ...ERASED, pastReads: [{ guild: A, process: 0, start: 9, at: 1, seen: seen(1, 'one') }] },
  ],
  [
    'a history that is read after its erasure',
    'resurrected',
    { ...ERASED, histories: [{ ...whole, start: 9, end: 10, lines: [{ revision: 1, from: '!', to: 'one' }] }] },
  ],
  ['a record that is erased before its erasure', 'nonLinear', erased(read(0, '!', [5, 6], nothing))],
  [
    'a revision that is unknown before its erasure',
    'nonLinear',
    erased({ ...undo(1, 0, '', refused('revision-unknown')), start: 5, end: 6 }),
  ],
])('the checker finds %s (%s)', (_, kind, history) => {
  expect(kindsIn(check(history))).toContain(kind);
});
