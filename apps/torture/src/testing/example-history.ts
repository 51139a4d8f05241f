import type { Anomalies } from '../checker/anomalies.ts';
import type { History, HistoryRead, LogEntry, Operation, Seen, Watched } from '../history.ts';

export const A = '197038439483310086';
export const B = '1197038439483310086';

export const seen = (revision: number, mark: string): Seen => ({ revision, prefix: mark, channel: mark });

/** Creates an operation over REST at process 0. */
export function operation(own: Pick<Operation, 'kind' | 'start' | 'end' | 'outcome'> & Partial<Operation>): Operation {
  return { guild: A, transport: 'rest', process: 0, ...own };
}

export const write = (revision: number, mark: string, [start, end]: [number, number], own: Partial<Operation> = {}) =>
  operation({ kind: 'write', mark, start, end, outcome: { kind: 'ok', seen: seen(revision, mark) }, ...own });

export const read = (revision: number, mark: string, [start, end]: [number, number], own: Partial<Operation> = {}) =>
  operation({ kind: 'read', start, end, outcome: { kind: 'ok', seen: seen(revision, mark) }, ...own });

export const entry = (revision: number, mark: string, before: string, guild = A): LogEntry => ({
  revision,
  guild,
  origin: 'rest',
  reason: mark,
  target: null,
  before: { prefix: before, announcement_channel: before === '!' ? '' : before },
  after: { prefix: mark, announcement_channel: mark },
});

export const LOG = [entry(1, 'one', '!'), entry(2, 'two', 'one'), entry(3, 'other', '!', B)];
export const ROWS = new Map([
  [A, seen(2, 'two')],
  [B, seen(3, 'other')],
]);
export const WATCHED: Watched = {
  name: 'a watcher',
  records: ROWS,
  received: [{ guild: A, seen: seen(1, 'one') }],
  disorder: [],
  repeats: [],
};

/** Two writes to one guild and one whose answer was lost to another, all of it right. */
export const CLEAN: History = {
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

/** A change that put a value back. */
export const back = (
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

/** The changes of one guild: the second is undone, the first restored, and that is undone. */
export const PUT_BACK = [
  entry(1, 'one', '!'),
  entry(2, 'two', 'one'),
  back(3, 'undo', 2, ['two', 'one']),
  entry(4, 'four', 'one'),
  back(5, 'restore', 1, ['four', 'one']),
  back(6, 'undo', 5, ['one', 'four']),
  back(7, 'undo', 4, ['four', 'one']),
];
export const whole: HistoryRead = {
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
export const undo = (target: number, revision: number, mark: string, outcome?: Operation['outcome']) =>
  operation({
    kind: 'undo',
    target,
    mark: `undo ${revision}`,
    start: 12,
    end: 13,
    outcome: outcome ?? { kind: 'ok', seen: seen(revision, mark) },
  });

/** The features before and after a switch. */
export type Features = readonly [readonly string[], readonly string[]];

/** A line of a switch. */
export const switched = (revision: number, [before, after]: Features): LogEntry => ({
  ...entry(revision, '', ''),
  reason: `switch ${revision}`,
  before: { enabledFeatures: before },
  after: { enabledFeatures: after },
});

/** An acknowledged switch that enabled a feature. */
export const switchOf = (name: string, revision: number, [start, end]: [number, number]) =>
  operation({
    kind: 'switch',
    mark: `switch ${revision}`,
    feature: { name, isEnabled: true },
    start,
    end,
    outcome: { kind: 'ok', seen: { revision, prefix: '!', channel: '' } },
  });

export function refused(why: string) {
  return { kind: 'refused', why } as const;
}

export const erasure = (revision: number, guild: string): LogEntry => ({
  ...entry(revision, '', '', guild),
  reason: null,
  before: {},
  after: null,
});

export function kindsIn(anomalies: Anomalies): string[] {
  return Object.entries(anomalies).flatMap(([kind, found]) => (found.length > 0 ? [kind] : []));
}
