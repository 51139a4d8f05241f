/** What an operation did to a register, or saw of it. A write's revision is what it made. */
export type Effect =
  | { readonly type: 'write'; readonly revision: number; readonly value: string; readonly ifMatch?: number | undefined }
  /** Made a revision and left the value as it was. */
  | { readonly type: 'touch'; readonly revision: number }
  | { readonly type: 'read'; readonly revision: number; readonly value: string }
  /** Found another revision than this one. */
  | { readonly type: 'miss'; readonly ifMatch: number };

/** An operation on one register, from its start to its end. */
export interface Interval {
  readonly start: number;
  /** Infinity: nobody heard it end, so it may have taken effect at any time, or never. */
  readonly end: number;
  readonly effect: Effect;
}

interface State {
  readonly revision: number;
  readonly value: string;
}

/** A way in which things may have happened so far: what the register holds, and which of those under way have had their effect. */
interface Possibility extends State {
  readonly done: ReadonlySet<number>;
}

/**
 * Whether there is an order of the operations, each at one moment between its start and its end, in which each one did and
 * saw what it says, revisions only growing. The search of Wing and Gong, going through the starts and ends in time and
 * keeping every possibility.
 * @see https://www.cs.cmu.edu/~wing/publications/WingGong93.pdf
 */
export function isLinearizable(intervals: readonly Interval[], initial: State): boolean {
  const moments = intervals
    .flatMap(({ start, end }, id) => [
      { at: start, id, isEnd: false },
      ...(end === Number.POSITIVE_INFINITY ? [] : [{ at: end, id, isEnd: true }]),
    ])
    // Those that meet in one moment count as under way together.
    .toSorted((one, other) => one.at - other.at || Number(one.isEnd) - Number(other.isEnd));
  const pending = new Map<number, Interval>();
  let possible: Possibility[] = [{ ...initial, done: new Set() }];
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

/** Everything that can have happened by now. Only writes open alternatives: a read that fits is taken where it fits. */
function reach(from: readonly Possibility[], pending: ReadonlyMap<number, Interval>): Possibility[] {
  const known = new Map<string, Possibility>();
  const open = from.map((one) => withReads(one, pending));
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const key = keyOf(one);
    if (known.has(key)) continue;
    known.set(key, one);
    for (const [id, { effect, end }] of pending) {
      if (one.done.has(id)) continue;
      const next = after(one, effect);
      if (next === undefined) continue;
      // Of what need never end, nobody will ask whether it was done.
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

function withReads(one: Possibility, pending: ReadonlyMap<number, Interval>): Possibility {
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

/** What can never take effect any more need not be tried again. */
function forget(pending: Map<number, Interval>, possible: readonly Possibility[]): void {
  const least = Math.min(...possible.map(({ revision }) => revision));
  for (const [id, { end, effect }] of pending) {
    if (end === Number.POSITIVE_INFINITY && 'revision' in effect && effect.revision <= least) pending.delete(id);
  }
}

function distinct(all: readonly Possibility[]): Possibility[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ revision, value, done }: Possibility): string {
  return `${revision} ${value} ${[...done].toSorted((one, other) => one - other).join()}`;
}

function without(done: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const rest = new Set(done);
  rest.delete(id);
  return rest;
}
