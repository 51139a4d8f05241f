/** The effect of an operation on a register. The revision of a write is the one that it created. */
export type Effect =
  | { readonly type: 'write'; readonly revision: number; readonly value: string; readonly ifMatch?: number | undefined }
  /** Creates a revision and leaves the value. */
  | { readonly type: 'touch'; readonly revision: number }
  | { readonly type: 'read'; readonly revision: number; readonly value: string }
  /** Fails because the register is at another revision than `ifMatch`. */
  | { readonly type: 'miss'; readonly ifMatch: number };

/** An operation on one register. */
export interface Interval {
  readonly start: number;
  /** Infinity: the outcome is unknown, so it may take effect at any later time, or never. */
  readonly end: number;
  readonly effect: Effect;
}

interface State {
  readonly revision: number;
  readonly value: string;
}

/** A possible execution so far: the state of the register, and which pending operations have taken effect. */
interface Execution extends State {
  readonly done: ReadonlySet<number>;
}

/**
 * Returns whether the operations have a linearizable order: each takes effect at one moment between its start and its end,
 * and revisions only grow. Implements the search of Wing and Gong as a sweep over starts and ends that keeps every
 * possible execution.
 * @see https://www.cs.cmu.edu/~wing/publications/WingGong93.pdf
 */
export function isLinearizable(intervals: readonly Interval[], initial: State): boolean {
  const moments = intervals
    .flatMap(({ start, end }, id) => [
      { at: start, id, isEnd: false },
      ...(end === Number.POSITIVE_INFINITY ? [] : [{ at: end, id, isEnd: true }]),
    ])
    // Operations that start and end at the same moment overlap.
    .toSorted((one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd));
  const pending = new Map<number, Interval>();
  let possible: Execution[] = [{ ...initial, done: new Set() }];
  for (const { id, isEnd } of moments) {
    const interval = intervals[id];
    if (interval === undefined) continue;
    if (!isEnd) {
      pending.set(id, interval);
      continue;
    }
    possible = reach(possible, pending).filter(({ done }) => done.has(id));
    if (possible.length === 0) return false;
    pending.delete(id);
    possible = distinct(possible.map((one) => ({ ...one, done: without(one.done, id) })));
    forget(pending, possible);
  }
  return true;
}

/** Returns all reachable executions. Only writes branch: a matching read takes effect as soon as it matches. */
function reach(from: readonly Execution[], pending: ReadonlyMap<number, Interval>): Execution[] {
  const known = new Map<string, Execution>();
  const open = from.map((one) => withReads(one, pending));
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const key = keyOf(one);
    if (known.has(key)) continue;
    known.set(key, one);
    for (const [id, { effect, end }] of pending) {
      if (one.done.has(id)) continue;
      const next = after(one, effect);
      if (next === undefined) continue;
      // An operation without an end is never required to have taken effect.
      const done = end === Number.POSITIVE_INFINITY ? one.done : new Set(one.done).add(id);
      open.push(withReads({ ...next, done }, pending));
    }
  }
  return [...known.values()];
}

function after(state: State, effect: Effect): State | undefined {
  if (effect.type !== 'write' && effect.type !== 'touch') return undefined;
  if (effect.revision <= state.revision) return undefined;
  if (effect.type === 'touch') return { revision: effect.revision, value: state.value };
  if (effect.ifMatch !== undefined && effect.ifMatch !== state.revision) return undefined;
  return { revision: effect.revision, value: effect.value };
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
    case 'write':
    case 'touch':
      return false;
  }
}

/** Drops pending operations that can no longer take effect. */
function forget(pending: Map<number, Interval>, possible: readonly Execution[]): void {
  const least = Math.min(...possible.map(({ revision }) => revision));
  for (const [id, { end, effect }] of pending) {
    if (end === Number.POSITIVE_INFINITY && 'revision' in effect && effect.revision <= least) pending.delete(id);
  }
}

function distinct(all: readonly Execution[]): Execution[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ revision, value, done }: Execution): string {
  return `${revision} ${value} ${[...done].toSorted((one, other) => one - other).join()}`;
}

function without(done: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const rest = new Set(done);
  rest.delete(id);
  return rest;
}
