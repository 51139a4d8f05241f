/** The effect of an operation on a register. The revision of a write is the one that it created. */
export type Effect =
  | {
      readonly type: 'write';
      readonly revision: number;
      readonly value: string;
      readonly ifMatch?: number | undefined;
      /** A revision from which the value was computed: it must not be erased. */
      readonly target?: number | undefined;
      readonly mayBeRead?: boolean;
    }
  /** Creates a revision without changing the value. */
  | { readonly type: 'touch'; readonly revision: number }
  | { readonly type: 'read'; readonly revision: number; readonly value: string }
  /** Fails because the register is at a revision other than `ifMatch`. */
  | { readonly type: 'miss'; readonly ifMatch: number }
  /** Erases the register; has no effect at revision 0. */
  | { readonly type: 'erase'; readonly ifMatch?: number | undefined }
  /** Fails because `target` was erased. */
  | { readonly type: 'unknown-target'; readonly target: number }
  /** Creates a revision that no operation has seen, and that is erased later. */
  | { readonly type: 'unseen' };

export interface Interval {
  readonly start: number;
  /**
   * Infinity: the outcome is unknown, so it may take effect at any later time, or never. A revision that it names
   * exists.
   */
  readonly end: number;
  readonly effect: Effect;
}

/** The state of a register: after an erasure the initial one, except for its newest revision. */
interface State {
  readonly revision: number;
  readonly value: string;
  /** The newest revision, including erasures: later ones are greater. */
  readonly newest: number;
  readonly erased: number;
}

/** The initial state of a register, and the revisions of its erasures. */
export interface Register {
  readonly initial: Pick<State, 'revision' | 'value'>;
  /** In ascending order. Each belongs to one erasure, and all of them happened. */
  readonly erasures?: readonly number[];
}

const UNSEEN = -1;

/** A possible execution so far: the state of the register, and the pending operations that have taken effect. */
interface Execution extends State {
  readonly done: ReadonlySet<number>;
}

/**
 * Returns true if the operations have a linearizable order: each takes effect at one moment between its start and its
 * end, and revisions only increase. Implements the search of Wing and Gong as a sweep over starts and ends that keeps
 * every possible execution.
 * @see https://www.cs.cmu.edu/~wing/publications/WingGong93.pdf
 */
export function isLinearizable(intervals: readonly Interval[], { initial, erasures = [] }: Register): boolean {
  const timeline = timelineOf(intervals, erasures);
  const moments = intervals
    .flatMap(({ start, end }, id) => [
      { at: start, id, isEnd: false },
      ...(end === Number.POSITIVE_INFINITY ? [] : [{ at: end, id, isEnd: true }]),
    ])
    // Operations that start and end at the same moment overlap.
    .toSorted((one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd));
  const pending = new Map<number, Interval>();
  let possible: Execution[] = [{ ...initial, newest: 0, erased: 0, done: new Set() }];
  for (const { id, isEnd } of moments) {
    const interval = intervals[id];
    if (interval === undefined) continue;
    if (!isEnd) {
      if (!isRepeated(interval, pending)) pending.set(id, interval);
      continue;
    }
    possible = reach(possible, pending, initial, timeline).filter(({ done }) => done.has(id));
    if (possible.length === 0) return false;
    pending.delete(id);
    possible = distinct(possible.map((one) => ({ ...one, done: without(one.done, id) })));
    forget(pending, possible);
  }
  return reach(possible, pending, initial, timeline).some(({ erased }) => erased === timeline.lastErasure);
}

/** The revisions of a register with their origins, in the only possible order. */
interface Timeline {
  /** The next revision, by each revision and by 0. */
  readonly following: ReadonlyMap<number, number>;
  readonly erasures: ReadonlySet<number>;
  readonly lastErasure: number;
}

/** Returns the timeline of the revisions that the effects create. All of them exist, so none is left out. */
function timelineOf(intervals: readonly Interval[], erasures: readonly number[]): Timeline {
  const created = intervals.flatMap(({ effect }) =>
    effect.type === 'write' || effect.type === 'touch' ? [effect.revision] : [],
  );
  const revisions = [...new Set([...created, ...erasures])].toSorted((one, other) => one - other);
  const following = new Map(revisions.map((revision, index) => [revisions[index - 1] ?? 0, revision]));
  return { following, erasures: new Set(erasures), lastErasure: erasures.at(-1) ?? 0 };
}

/** Returns all reachable executions. Only changes branch: a matching read takes effect as soon as it matches. */
function reach(
  from: readonly Execution[],
  pending: ReadonlyMap<number, Interval>,
  initial: Register['initial'],
  timeline: Timeline,
): Execution[] {
  const known = new Map<string, Execution>();
  const open = from.map((one) => withReads(one, pending));
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const key = keyOf(one);
    if (known.has(key)) continue;
    known.set(key, one);
    for (const [id, { effect, end }] of pending) {
      if (one.done.has(id)) continue;
      const next = after(one, effect, initial, timeline);
      if (next === undefined) continue;
      // An operation without an end is never required to have taken effect.
      const done = end === Number.POSITIVE_INFINITY ? one.done : new Set(one.done).add(id);
      open.push(withReads({ ...next, done }, pending));
    }
  }
  return [...known.values()];
}

function after(state: State, effect: Effect, initial: Register['initial'], timeline: Timeline): State | undefined {
  const next = timeline.following.get(state.newest);
  switch (effect.type) {
    case 'write':
    case 'touch': {
      const { revision } = effect;
      if (revision !== next || timeline.erasures.has(revision)) return undefined;
      if (effect.type === 'touch') return { ...state, revision, newest: revision };
      if (effect.ifMatch !== undefined && effect.ifMatch !== state.revision) return undefined;
      if (effect.target !== undefined && effect.target <= state.erased) return undefined;
      return { ...state, revision, newest: revision, value: effect.value };
    }
    case 'erase':
      if (effect.ifMatch !== undefined && effect.ifMatch !== state.revision) return undefined;
      if (state.revision === 0) return state;
      return next !== undefined && timeline.erasures.has(next) ? { ...initial, newest: next, erased: next } : undefined;
    case 'unseen':
      return state.erased === timeline.lastErasure || state.revision === UNSEEN
        ? undefined
        : { ...state, revision: UNSEEN };
    case 'read':
    case 'miss':
    case 'unknown-target':
      return undefined;
  }
}

function withReads(one: Execution, pending: ReadonlyMap<number, Interval>): Execution {
  const fitting = [...pending].filter(([id, { effect }]) => !one.done.has(id) && fits(one, effect)).map(([id]) => id);
  return fitting.length === 0 ? one : { ...one, done: new Set([...one.done, ...fitting]) };
}

function fits(state: State, effect: Effect): boolean {
  switch (effect.type) {
    case 'read':
      return effect.revision === state.revision && effect.value === state.value;
    case 'miss':
      return effect.ifMatch !== state.revision;
    case 'unknown-target':
      return effect.target <= state.erased;
    case 'write':
      return effect.mayBeRead === true && effect.revision === state.revision && effect.value === state.value;
    case 'touch':
    case 'erase':
    case 'unseen':
      return false;
  }
}

/** Drops pending operations that can no longer take effect, and do not have to. */
function forget(pending: Map<number, Interval>, possible: readonly Execution[]): void {
  const least = Math.min(...possible.map(({ newest }) => newest));
  for (const [id, { end, effect }] of pending) {
    if (end === Number.POSITIVE_INFINITY && isPast(effect, least)) pending.delete(id);
  }
}

function isPast(effect: Effect, newest: number): boolean {
  if ('revision' in effect) return effect.revision <= newest;
  // An erased register is at revision 0 again.
  return effect.type === 'erase' && effect.ifMatch !== undefined && 0 < effect.ifMatch && effect.ifMatch < newest;
}

/**
 * Returns true if an operation without an end is an erasure equal to a pending one without an end, which may happen
 * again.
 */
function isRepeated({ end, effect }: Interval, pending: ReadonlyMap<number, Interval>): boolean {
  if (end !== Number.POSITIVE_INFINITY || effect.type !== 'erase') return false;
  return [...pending.values()].some(
    (other) => other.end === end && other.effect.type === 'erase' && other.effect.ifMatch === effect.ifMatch,
  );
}

function distinct(all: readonly Execution[]): Execution[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ revision, value, newest, erased, done }: Execution): string {
  return `${revision} ${value} ${newest} ${erased} ${[...done].toSorted((one, other) => one - other).join()}`;
}

function without(done: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const rest = new Set(done);
  rest.delete(id);
  return rest;
}
