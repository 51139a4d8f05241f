import { describe, expect, test } from 'vitest';
import type { History, HistoryRead, LogEntry, Operation, Seen, Watched } from '../history.ts';
import { type Anomalies, type AnomalyKind, check, countOf } from './check.ts';

const A = '197038439483310086';
const B = '1197038439483310086';

const seen = (revision: number, mark: string): Seen => ({ revision, prefix: mark, channel: mark });

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
  origin: 'rest',
  reason: mark,
  target: null,
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

/** A correct history: two writes to one guild, and one whose answer was lost to another. */
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
  histories: [],
  pastReads: [],
  arrived: [{ guild: A, revision: 2, replicas: [2, 2] }],
  erasable: new Set(),
  mayBeGone: () => false,
  watched: [WATCHED],
  late: [],
  crashes: [],
};

const back = (
  revision: number,
  origin: 'undo' | 'restore',
  target: number,
  [from, to]: [string, string],
): LogEntry => ({
  ...entry(revision, to, from),
  origin,
  target,
  reason: `${origin} ${revision}`,
});

/** The changes of one guild: the second is undone, the first restored, and the restore is undone. */
const PUT_BACK = [
  entry(1, 'one', '!'),
  entry(2, 'two', 'one'),
  back(3, 'undo', 2, ['two', 'one']),
  entry(4, 'four', 'one'),
  back(5, 'restore', 1, ['four', 'one']),
  back(6, 'undo', 5, ['one', 'four']),
  back(7, 'undo', 4, ['four', 'one']),
];
const whole: HistoryRead = {
  guild: A,
  process: 0,
  start: 20,
  end: 21,
  lines: PUT_BACK.map(({ revision, before, after }) => ({
    revision,
    from: before.prefix,
    to: after?.prefix,
  })).reverse(),
  isWhole: true,
};
const undo = (target: number, revision: number, mark: string, outcome?: Operation['outcome']) =>
  operation({
    kind: 'undo',
    target,
    mark: `undo ${revision}`,
    start: 12,
    end: 13,
    outcome: outcome ?? { kind: 'ok', seen: seen(revision, mark) },
  });

type Features = readonly [readonly string[], readonly string[]];

const switched = (revision: number, [before, after]: Features): LogEntry => ({
  ...entry(revision, '', ''),
  reason: `switch ${revision}`,
  before: { enabledFeatures: before },
  after: { enabledFeatures: after },
});

/** An acknowledged switch that enabled a feature. */
const switchOf = (name: string, revision: number, [start, end]: [number, number]) =>
  operation({
    kind: 'switch',
    mark: `switch ${revision}`,
    feature: { name, isEnabled: true },
    start,
    end,
    outcome: { kind: 'ok', seen: { revision, prefix: '!', channel: '' } },
  });

function refused(why: string) {
  return { kind: 'refused', why } as const;
}

const erasure = (revision: number, guild: string): LogEntry => ({
  ...entry(revision, '', '', guild),
  reason: null,
  before: {},
  after: null,
});

function kindsIn(anomalies: Anomalies): string[] {
  return Object.entries(anomalies).flatMap(([kind, found]) => (found.length > 0 ? [kind] : []));
}

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

/** Changes of the features of one guild: two switches, an undo of the second, and a restore of both. */
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

/** An acknowledged erasure, of any revision unless one is given. */
const erasing = ([start, end]: [number, number], own: Partial<Operation> = {}) =>
  operation({ kind: 'erase', start, end, outcome: { kind: 'ok', seen: DEFAULTS }, ...own });

const DEFAULTS: Seen = { revision: 0, prefix: '!', channel: '' };
const nothing = { outcome: { kind: 'ok', seen: DEFAULTS } } as const;

/**
 * A guild that is changed, also by an operation of unknown outcome, reported by the bot, erased, and changed again. The
 * log contains the erasure and later changes.
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
