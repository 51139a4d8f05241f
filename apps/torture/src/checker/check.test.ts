import { describe, expect, test } from 'vitest';
import type { History, LogEntry, Operation, Seen, Watched } from '../history.ts';
import { type Anomalies, type AnomalyKind, countOf } from './anomalies.ts';
import { check } from './check.ts';

const A = '197038439483310086';
const B = '1197038439483310086';

const seen = (revision: number, mark: string): Seen => ({ revision, prefix: mark, channel: mark });

/** Creates an operation over REST at process 0. */
function operation(own: Pick<Operation, 'kind' | 'start' | 'end' | 'outcome'> & Partial<Operation>): Operation {
  return { guild: A, transport: 'rest', process: 0, ...own };
}

const write = (revision: number, mark: string, [start, end]: [number, number], own: Partial<Operation> = {}) =>
  operation({ kind: 'write', mark, start, end, outcome: { kind: 'ok', seen: seen(revision, mark) }, ...own });

const read = (revision: number, mark: string, [start, end]: [number, number], own: Partial<Operation> = {}) =>
  operation({ kind: 'read', start, end, outcome: { kind: 'ok', seen: seen(revision, mark) }, ...own });

const entry = (revision: number, mark: string, before: string, guild = A): LogEntry => ({
  revision,
  guild,
  before: { prefix: before, announcement_channel: before === '!' ? '' : before },
  after: { prefix: mark, announcement_channel: mark },
});

const LOG = [entry(1, 'one', '!'), entry(2, 'two', 'one'), entry(3, 'other', '!', B)];
const ROWS = new Map([
  [A, seen(2, 'two')],
  [B, seen(3, 'other')],
]);
const WATCHED: Watched = {
  name: 'a watcher',
  records: ROWS,
  received: [{ guild: A, seen: seen(1, 'one') }],
  disorder: [],
  repeats: [],
};

/** Two writes to one guild and one whose answer was lost to another, all of it right. */
const CLEAN: History = {
  operations: [
    read(0, '!', [0, 1], { outcome: { kind: 'ok', seen: { revision: 0, prefix: '!', channel: '' } } }),
    write(1, 'one', [2, 4]),
    read(1, 'one', [5, 6]),
    write(2, 'two', [7, 9], { ifMatch: 1, transport: 'trpc' }),
    operation({ kind: 'write', mark: 'no', start: 10, end: 11, ifMatch: 1, outcome: refused('revision-mismatch') }),
    operation({ kind: 'write', mark: 'not', start: 10, end: 11, outcome: refused('store-unavailable') }),
    operation({ kind: 'write', guild: B, mark: 'other', start: 1, end: 2, outcome: { kind: 'unknown', why: 'cut' } }),
    read(3, 'other', [12, 13], { guild: B }),
  ],
  snapshot: { lastRevision: 3, oldestRevision: 1, log: LOG, guilds: ROWS },
  mayBeGone: () => false,
  watched: [WATCHED],
  late: [],
  crashes: [],
};

function refused(why: string) {
  return { kind: 'refused', why } as const;
}

const and = (...more: Operation[]): History => ({ ...CLEAN, operations: [...CLEAN.operations, ...more] });
const withLog = (log: readonly LogEntry[], own: Partial<History['snapshot']> = {}): History => ({
  ...CLEAN,
  snapshot: { ...CLEAN.snapshot, log, lastRevision: log.length, ...own },
});
const watching = (own: Partial<Watched>): History => ({ ...CLEAN, watched: [{ ...WATCHED, ...own }] });

function kindsIn(anomalies: Anomalies): string[] {
  return Object.entries(anomalies).flatMap(([kind, found]) => (found.length > 0 ? [kind] : []));
}

test('a clean history has no anomaly', () => {
  expect(kindsIn(check(CLEAN))).toEqual([]);
  expect(countOf(check(CLEAN))).toBe(0);
});

test('an empty history has no anomaly', () => {
  const snapshot = { lastRevision: 0, oldestRevision: 1, log: [], guilds: new Map() };
  expect(countOf(check({ ...CLEAN, operations: [], snapshot, watched: [] }))).toBe(0);
});

const RETIRED = '400000000000000000';
const erasure = (revision: number, guild: string): LogEntry => ({ revision, guild, before: {}, after: null });

test('a guild that was erased when it was due is no anomaly, nor are its revisions that are gone from the log', () => {
  const log = [...LOG, erasure(6, RETIRED)];
  const history = withLog(log, { lastRevision: 6 });
  expect(kindsIn(check({ ...history, mayBeGone: (revision) => revision === 4 || revision === 5 }))).toEqual([]);
});

const PLANTED: readonly [string, AnomalyKind, History][] = [
  ['an acknowledged write that the log has not', 'lost', and(write(4, 'gone', [20, 21]))],
  ['an acknowledged write whose revision is of another', 'lost', and(write(2, 'gone', [20, 21]))],
  ['a read of half a write', 'torn', and(read(2, 'two', [20, 21], { outcome: halfOf('two') }))],
  [
    'a change of half a write',
    'torn',
    withLog([...LOG.slice(0, 2), { ...entry(3, 'other', '!', B), after: { prefix: 'other' } }]),
  ],
  [
    'a row of half a write',
    'torn',
    withLog(LOG, { guilds: new Map([...ROWS, [A, { ...seen(2, 'two'), channel: 'one' }]]) }),
  ],
  ['a gap in the log', 'log', withLog([...LOG.slice(0, 2), entry(4, 'other', '!', B)], { lastRevision: 4 })],
  ['a log that goes back', 'log', withLog([LOG[1], LOG[0], LOG[2]].flatMap((one) => one ?? []))],
  ['a guild that was erased before it was due', 'log', withLog([...LOG, erasure(4, '3')])],
  ['a revision that is gone before it was due', 'log', withLog(LOG.slice(1), { lastRevision: 3 })],
  ['a counter ahead of the log', 'log', withLog(LOG, { lastRevision: 4 })],
  [
    'a change that does not follow from the one before',
    'log',
    withLog([...LOG.slice(0, 1), entry(2, 'two', '!'), ...LOG.slice(2)]),
  ],
  ['a row behind its log', 'log', withLog(LOG, { guilds: new Map([...ROWS, [A, seen(1, 'one')]]) })],
  ['a write that was made twice', 'twice', withLog([...LOG, entry(4, 'one', 'two')])],
  ['a watcher that receives an event twice', 'twice', watching({ repeats: ['guild 1'] })],
  ['a refused write that was made', 'refusedButMade', withLog([...LOG, entry(4, 'not', 'two')])],
  ['a failed If-Match that was made', 'refusedButMade', withLog([...LOG, entry(4, 'no', 'two')])],
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
    and(operation({ kind: 'write', mark: 'x', start: 20, end: 21, ifMatch: 2, outcome: refused('revision-mismatch') })),
  ],
  [
    'a masked error',
    'undocumented',
    and(
      operation({ kind: 'read', start: 20, end: 21, outcome: { kind: 'unknown', why: '' }, undocumented: 'internal' }),
    ),
  ],
  ['a watcher with an old record', 'watchers', watching({ records: new Map([...ROWS, [A, seen(1, 'one')]]) })],
  ['a watcher without a record', 'watchers', watching({ records: new Map([[A, seen(2, 'two')]]) })],
  ['a watcher with a guild too many', 'watchers', watching({ records: new Map([...ROWS, ['3', seen(1, 'one')]]) })],
  ['a watcher that receives the past', 'disorder', watching({ disorder: ['guild 1 after 2'] })],
  ['a watcher that is notified late', 'late', { ...CLEAN, late: ['watcher 0 of revision 2'] }],
  ['a process that ends by itself', 'crashes', { ...CLEAN, crashes: ['api 0'] }],
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
