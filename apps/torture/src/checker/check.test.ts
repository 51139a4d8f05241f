import { describe, expect, test } from 'vitest';
import type { History, HistoryRead, LogEntry, Operation, Seen, Watched } from '../history.ts';
import {
  A,
  B,
  back,
  CLEAN,
  entry,
  erasure,
  type Features,
  kindsIn,
  LOG,
  PUT_BACK,
  ROWS,
  read,
  refused,
  seen,
  switched,
  switchOf,
  undo,
  WATCHED,
  whole,
  write,
} from '../testing/example-history.ts';
import { type AnomalyKind, countOf } from './anomalies.ts';
import { check } from './check.ts';

const putBack = (own: Partial<History> = {}, log: readonly LogEntry[] = PUT_BACK): History => {
  const guilds = new Map([[A, seen(log.length, String(log.at(-1)?.after?.prefix))]]);
  const snapshot = { lastRevision: log.length, oldestRevision: 1, log, guilds };
  return { ...CLEAN, operations: [], snapshot, watched: [], histories: [whole], ...own };
};
const and = (...more: Operation[]): History => ({ ...CLEAN, operations: [...CLEAN.operations, ...more] });
const withLog = (log: readonly LogEntry[], own: Partial<History['snapshot']> = {}): History => ({
  ...CLEAN,
  snapshot: { ...CLEAN.snapshot, log, lastRevision: log.length, ...own },
});
const watching = (own: Partial<Watched>): History => ({ ...CLEAN, watched: [{ ...WATCHED, ...own }] });
const logged = (kept: number, ...lines: LogEntry[]): History => withLog([...LOG.slice(0, kept), ...lines]);
const putBackTo = (kept: number, ...lines: LogEntry[]) =>
  putBack({ histories: [] }, [...PUT_BACK.slice(0, kept), ...lines]);
const withRow = (row: Seen) => withLog(LOG, { guilds: new Map([...ROWS, [A, row]]) });
const arriving = (replicas: (number | undefined)[]) => ({ ...CLEAN, arrived: [{ guild: A, revision: 2, replicas }] });
const pastRead = (at: number, then: Seen | undefined) => ({ guild: A, process: 0, start: 20, at, seen: then });
const reading = (change: (line: HistoryRead['lines'][number]) => HistoryRead['lines']) =>
  putBack({ histories: [{ ...whole, lines: whole.lines.flatMap(change) }] });

test('neither a clean history nor an empty one has an anomaly', () => {
  expect(kindsIn(check(CLEAN))).toEqual([]);
  expect(countOf(check(CLEAN))).toBe(0);
  const snapshot = { lastRevision: 0, oldestRevision: 1, log: [], guilds: new Map() };
  expect(countOf(check({ ...CLEAN, operations: [], snapshot, watched: [] }))).toBe(0);
});

test('undos and restores that put back what was there are no anomaly, nor is an undo that had nothing to do', () => {
  const operations = [
    undo(2, 3, 'one'),
    { ...undo(2, 3, 'one'), mark: 'nothing to do', start: 14, end: 15 },
    undo(4, 7, 'one', { kind: 'unknown', why: 'cut' }),
  ];
  const pastReads = [1, 2, 3, 5, 6].map((at) => pastRead(at, seen(at, String(PUT_BACK[at - 1]?.after?.prefix))));
  const part = { ...whole, lines: whole.lines.slice(0, 3), isWhole: false };
  expect(kindsIn(check(putBack({ operations, pastReads, histories: [whole, part] })))).toEqual([]);
});

test('switches of features, their undo and a restore are no anomaly, nor is a switch that had nothing to do', () => {
  expect(kindsIn(check(switching()))).toEqual([]);
});

test('a switch that had nothing to do is live in a replica that does not know the guild', () => {
  expect(kindsIn(check({ ...CLEAN, arrived: [{ guild: B, revision: 0, replicas: [undefined] }] }))).toEqual([]);
});

const RETIRED = '400000000000000000';
test('a guild that was erased when it was due is no anomaly, nor are its revisions that are gone from the log', () => {
  const log = [...LOG, erasure(6, RETIRED)];
  const history = withLog(log, { lastRevision: 6 });
  expect(kindsIn(check({ ...history, mayBeGone: (revision) => revision === 4 || revision === 5 }))).toEqual([]);
});

const FIRST = switched(1, [[], ['a']]);
const switchedBack = (revision: number, origin: 'undo' | 'restore', target: number, features: Features): LogEntry => ({
  ...switched(revision, features),
  origin,
  target,
  reason: `${origin} ${revision}`,
});

/** Changes of the features of one guild: two switches, an undo of the second, and a restore of what both made. */
function switching(own: { operations?: readonly Operation[]; log?: readonly LogEntry[] } = {}): History {
  const log = [
    FIRST,
    switched(2, [['a'], ['a', 'b']]),
    switchedBack(3, 'undo', 2, [['a', 'b'], ['a']]),
    switchedBack(4, 'restore', 2, [['a'], ['a', 'b']]),
  ];
  const operations = [
    switchOf('a', 1, [0, 1]),
    switchOf('b', 2, [2, 3]),
    undo(2, 3, '!', { kind: 'ok', seen: { revision: 3, prefix: '!', channel: '' } }),
    { ...switchOf('b', 4, [14, 15]), mark: 'nothing to do', ifMatch: 4 },
    { ...switchOf('b', 0, [14, 15]), guild: B, mark: 'nothing to do', feature: { name: 'b', isEnabled: false } },
  ];
  const made = own.log ?? log;
  const row = { revision: made.length, prefix: '!', channel: '' };
  const snapshot = { lastRevision: made.length, oldestRevision: 1, log: made, guilds: new Map([[A, row]]) };
  return { ...CLEAN, operations: own.operations ?? operations, arrived: [], watched: [], snapshot };
}

const PLANTED: readonly [string, AnomalyKind, History][] = [
  ['an acknowledged write that the log has not', 'lost', and(write(4, 'gone', [20, 21]))],
  ['an acknowledged write whose revision is of another', 'lost', and(write(2, 'gone', [20, 21]))],
  ['a read of half a write', 'torn', and(read(2, 'two', [20, 21], { outcome: halfOf('two') }))],
  ['a change of half a write', 'torn', logged(2, { ...entry(3, 'other', '!', B), after: { prefix: 'other' } })],
  ['a row of half a write', 'torn', withRow({ ...seen(2, 'two'), channel: 'one' })],
  ['a gap in the log', 'log', withLog([...LOG.slice(0, 2), entry(4, 'other', '!', B)], { lastRevision: 4 })],
  ['a log that goes back', 'log', withLog([LOG[1], LOG[0], LOG[2]].flatMap((one) => one ?? []))],
  ['a guild that was erased before it was due', 'erased', logged(3, erasure(4, '3'))],
  ['a revision that is gone before it was due', 'log', withLog(LOG.slice(1), { lastRevision: 3 })],
  ['a counter ahead of the log', 'log', withLog(LOG, { lastRevision: 4 })],
  ['a change that does not follow from the one before', 'log', logged(1, entry(2, 'two', '!'), ...LOG.slice(2))],
  ['a row behind its log', 'log', withRow(seen(1, 'one'))],
  ['a write that was made twice', 'twice', logged(3, entry(4, 'one', 'two'))],
  ['a watcher that receives an event twice', 'twice', watching({ repeats: ['guild 1'] })],
  ['a refused write that was made', 'refusedButMade', logged(3, entry(4, 'not', 'two'))],
  ['a failed If-Match that was made', 'refusedButMade', logged(3, entry(4, 'no', 'two'))],
  [
    'an undo over the value of a later change',
    'overwritten',
    putBackTo(2, entry(3, 'three', 'two'), back(4, 'undo', 2, ['three', 'one'])),
  ],
  [
    'an undo over an equal value of a later change',
    'overwritten',
    putBackTo(5, { ...entry(6, 'four', 'one'), reason: 'again' }, back(7, 'undo', 4, ['four', 'one'])),
  ],
  ['an undo that puts another value back', 'restored', putBackTo(2, back(3, 'undo', 2, ['two', 'other']))],
  ['an undo that is acknowledged and not made', 'restored', putBack({ operations: [undo(4, 4, 'four')] })],
  ['a restore to another record', 'restored', putBackTo(4, back(5, 'restore', 1, ['four', 'two']))],
  [
    'a record as it was that is that of another time',
    'restored',
    putBack({ pastReads: [pastRead(2, seen(2, 'one'))] }),
  ],
  ['a record as it was that is unknown', 'restored', putBack({ pastReads: [pastRead(2, undefined)] })],
  ['a switch that takes another feature along', 'switched', switching({ log: [FIRST, switched(2, [['a'], ['b']])] })],
  [
    'a switch whose feature is gone without a change',
    'switched',
    switching({ log: [FIRST, switched(2, [[], ['b']])] }),
  ],
  [
    'an acknowledged switch that had something to do, and did not',
    'switched',
    switching({ operations: [{ ...switchOf('c', 4, [20, 21]), mark: 'nothing to do' }] }),
  ],
  [
    'an undo that puts other features back',
    'switched',
    switching({ operations: [], log: [FIRST, switchedBack(2, 'undo', 1, [['a'], ['b']])] }),
  ],
  [
    'a restore of other features',
    'switched',
    switching({ operations: [], log: [FIRST, switchedBack(2, 'restore', 1, [['a'], []])] }),
  ],
  [
    'an acknowledged switch on of a guild without a change',
    'lost',
    switching({ operations: [{ ...switchOf('b', 0, [14, 15]), guild: B }] }),
  ],
  ['an acknowledged switch that the log has not', 'lost', switching({ operations: [switchOf('a', 9, [0, 1])] })],
  [
    'two switches under one If-Match',
    'nonLinear',
    switching({ operations: [switchOf('a', 1, [0, 1]), { ...switchOf('b', 2, [2, 3]), ifMatch: 0 }] }),
  ],
  ['a live change that a replica does not have', 'arrival', arriving([2, 1])],
  ['a live change of a guild that a replica does not know', 'arrival', arriving([undefined])],
  ['a history without a change', 'history', reading((line) => (line.revision === 4 ? [] : [line]))],
  ['a history that shows a change twice', 'history', reading((line) => (line.revision === 4 ? [line, line] : [line]))],
  ['a history with another value', 'history', reading((line) => [{ ...line, to: 'other' }])],
  [
    'a history that lacks an acknowledged change',
    'history',
    putBack({ operations: [undo(4, 7, 'one')], histories: [{ ...whole, lines: whole.lines.slice(1) }] }),
  ],
  ['an acknowledged undo that the log has not', 'lost', putBack({ operations: [undo(4, 8, 'one')] })],
  ['an undo that was made twice', 'twice', putBackTo(6, { ...back(7, 'undo', 4, ['four', 'one']), reason: 'undo 6' })],
  [
    'a refused undo that was made',
    'refusedButMade',
    putBack({ operations: [undo(4, 7, '', refused('later-change'))] }),
  ],
  ['a read of what was never committed', 'phantom', and(read(4, 'ghost', [20, 21]))],
  [
    'a watcher that receives what was never committed',
    'phantom',
    watching({ received: [{ guild: A, seen: seen(9, 'ghost') }] }),
  ],
  ['a read of a value that was overwritten before its request', 'stale', and(read(1, 'one', [20, 21], { process: 3 }))],
  ['a read behind a watcher', 'stale', and(read(2, 'two', [9.5, 9.6], { floor: 3 }))],
  ['two writes under one If-Match', 'nonLinear', and(write(2, 'two', [7, 9], { ifMatch: 0 }))],
  [
    'a failed If-Match that was right',
    'nonLinear',
    and(write(2, 'x', [20, 21], { ifMatch: 2, outcome: refused('revision-mismatch') })),
  ],
  [
    'a masked error',
    'undocumented',
    and(read(2, 'two', [20, 21], { outcome: { kind: 'unknown', why: '' }, undocumented: 'internal' })),
  ],
  ['a watcher with an old record', 'watchers', watching({ records: new Map([...ROWS, [A, seen(1, 'one')]]) })],
  ['a watcher without a record', 'watchers', watching({ records: new Map([[A, seen(2, 'two')]]) })],
  ['a watcher with a guild too many', 'watchers', watching({ records: new Map([...ROWS, ['3', seen(1, 'one')]]) })],
  ['a watcher that receives the past', 'disorder', watching({ disorder: ['guild 1 after 2'] })],
  ['a watcher that is notified late', 'late', { ...CLEAN, late: ['watcher 0 of revision 2'] }],
  ['a process that ends by itself', 'crashes', { ...CLEAN, crashes: ['api 0'] }],
  [
    'a change of an erased guild in the log',
    'resurrected',
    withLog([...LOG, erasure(4, A)], { guilds: new Map([[B, seen(3, 'other')]]) }),
  ],
];

function halfOf(mark: string): Operation['outcome'] {
  return { kind: 'ok', seen: { revision: 2, prefix: mark, channel: 'one' } };
}

describe('the checker finds', () => {
  test.each(PLANTED)('%s (%s)', (_, kind, history) => {
    expect(kindsIn(check(history))).toContain(kind);
  });

  test('something of every kind, in these histories', () => {
    expect(new Set(PLANTED.map(([, kind]) => kind))).toEqual(new Set(Object.keys(check(CLEAN))));
  });
});
