import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Effect, type Interval, isLinearizable } from './linearizable.ts';

/** The end of an operation of unknown outcome. */
const NEVER = Number.POSITIVE_INFINITY;
const INITIAL = { initial: { revision: 0, value: '!' } };

const at = (start: number, end: number, effect: Effect): Interval => ({ start, end, effect });
const write = (revision: number, ifMatch?: number): Effect => {
  return { type: 'write', revision, value: `v${revision}`, ifMatch };
};
const read = (revision: number): Effect => ({ type: 'read', revision, value: revision === 0 ? '!' : `v${revision}` });
const erase = (ifMatch?: number): Effect => ({ type: 'erase', ifMatch });
const miss = (ifMatch: number): Effect => ({ type: 'miss', ifMatch });
const TOUCHED: Effect = { type: 'read', revision: 1, value: '!' };
const DONE = at(0, 1, write(1));
const BOTH = [at(0, 9, write(1)), at(0, 9, write(2))];

describe('a register', () => {
  test.each<[string, boolean, Interval[]]>([
    ['nothing at all', true, []],
    ['one after another', true, [at(0, 1, write(1)), at(2, 3, read(1)), at(4, 5, write(2)), at(6, 7, read(2))]],
    ['a read while a write is under way sees what was before', true, [at(0, 9, write(1)), at(1, 2, read(0))]],
    ['a read during a write sees its value', true, [at(0, 9, write(1)), at(1, 2, read(1))]],
    ['what was seen is not unseen', false, [at(0, 9, write(1)), at(1, 2, read(1)), at(3, 4, read(0))]],
    ['a read after a write sees it', false, [at(0, 1, write(1)), at(2, 3, read(0))]],
    ['writes at one time, seen in one order', true, [...BOTH, at(1, 2, read(1)), at(3, 4, read(2))]],
    ['and not in the other', false, [...BOTH, at(1, 2, read(2)), at(3, 4, read(1))]],
    ['revisions against time', false, [at(0, 1, write(2)), at(2, 3, write(1))]],
    ['two writes of one revision', false, [at(0, 9, write(1)), at(0, 9, write(1))]],
    ['If-Match in a row', true, [at(0, 9, write(1, 0)), at(0, 9, write(2, 1))]],
    ['two under one If-Match', false, [at(0, 9, write(1, 0)), at(0, 9, write(2, 0))]],
    ['a miss while another one writes', true, [at(0, 9, write(1, 0)), at(1, 8, miss(0))]],
    ['a miss without a change', false, [at(0, 1, write(1)), at(2, 3, miss(1))]],
    ['an unknown write that no read sees', true, [at(0, NEVER, write(1)), at(2, 3, read(0))]],
    ['an unknown write that is seen late', true, [at(0, NEVER, write(1)), at(2, 3, read(0)), at(4, 5, read(1))]],
    ['an unknown write before it began', false, [at(2, NEVER, write(1)), at(0, 1, read(1))]],
    ['an unknown write that disappears', false, [at(0, NEVER, write(1)), at(2, 3, read(1)), at(4, 5, read(0))]],
    ['an unknown write under a wrong If-Match', false, [DONE, at(2, NEVER, write(2, 0)), at(4, 5, read(2))]],
    ['an unknown write after a later one', false, [at(0, 1, write(2)), at(2, 3, read(2)), at(4, NEVER, write(1))]],
    ['a touch that is seen', true, [at(0, NEVER, { type: 'touch', revision: 1 }), at(2, 3, TOUCHED)]],
  ])('%s: %s', (_, verdict, intervals) => {
    expect(isLinearizable(intervals, INITIAL)).toBe(verdict);
  });
});

describe('a register that is erased at revision 10', () => {
  test.each<[string, boolean, Interval[]]>([
    [
      'a read of what was there, of nothing, and of what was written afterwards',
      true,
      [DONE, at(2, 5, erase(1)), at(3, 4, read(1)), at(6, 7, read(0)), at(8, 9, write(12))],
    ],
    ['a read after an erasure of what was there', false, [DONE, at(2, 3, erase()), at(4, 5, read(1))]],
    ['an erasure under a failed If-Match', false, [DONE, at(2, 3, write(2)), at(4, 5, erase(1))]],
    ['an erasure that nothing requested', false, [DONE, at(2, 3, write(12))]],
    ['two erasures, of which one has nothing to do', true, [DONE, at(2, 5, erase()), at(2, 5, erase(0))]],
    ['an erasure of unknown outcome', true, [DONE, at(2, NEVER, erase(1)), at(4, 5, read(0))]],
    [
      'a write of a revision from before the erasure',
      false,
      [at(0, 1, erase(0)), at(2, 3, write(1)), at(4, 5, erase()), at(6, 7, write(5))],
    ],
    [
      'a change that was computed from what was erased',
      false,
      [DONE, at(2, 3, erase()), at(4, 5, { type: 'write', revision: 12, value: 'v1', target: 1 })],
    ],
    [
      'a miss because of a change that is not seen',
      true,
      [DONE, at(0, NEVER, { type: 'unseen' }), at(2, 3, miss(1)), at(4, 5, erase())],
    ],
  ])('%s: %s', (_, verdict, intervals) => {
    expect(isLinearizable(intervals, { ...INITIAL, erasures: [10] })).toBe(verdict);
  });
});

type Step = readonly ['read' | 'write' | 'erase', number, number, boolean];

/** Returns the results of a real register: each step takes effect at its moment, between its start and its end. */
function performed(steps: readonly Step[]): { readonly intervals: Interval[]; readonly erasures: readonly number[] } {
  let newest = 0;
  let current = 0;
  const erasures: number[] = [];
  const intervals = steps.map(([kind, early, late, isUnknown], moment): Interval => {
    const ifMatch = current;
    if (kind === 'write' || (kind === 'erase' && current > 0)) newest += 1;
    if (kind === 'erase' && current > 0) erasures.push(newest);
    if (kind !== 'read') current = kind === 'write' ? newest : 0;
    const end = kind !== 'read' && isUnknown ? NEVER : 10 * moment + late + 1;
    const effect = {
      read: () => read(current),
      write: () => write(newest),
      erase: () => erase(late % 2 === 0 ? ifMatch : undefined),
    };
    return at(10 * moment - early, end, effect[kind]());
  });
  return { intervals: [...intervals, at(Number.NEGATIVE_INFINITY, NEVER, { type: 'unseen' })], erasures };
}

/** Enough that a search in quadratic time of the changes to come would take minutes. */
const TOUCHES = 1_000;

test('a thousand touches at unknown times take no more than a step each', () => {
  const touches = Array.from({ length: TOUCHES }, (_, index) =>
    at(Number.NEGATIVE_INFINITY, NEVER, { type: 'touch', revision: 2 * index + 1 }),
  );
  const writes = Array.from({ length: TOUCHES }, (_, index) => at(10 * index, 10 * index + 5, write(2 * index + 2)));
  expect(isLinearizable([...touches, ...writes], INITIAL)).toBe(true);
});

const kinds = fc.constantFrom('read', 'read', 'read', 'write', 'write', 'erase');

test('whatever a real register did is linearizable, and quickly found to be', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, fc.nat(30), fc.nat(30), fc.boolean()), { maxLength: 300 }), (steps) => {
      const { intervals, erasures } = performed(steps);
      expect(isLinearizable(intervals, { ...INITIAL, erasures })).toBe(true);
    }),
  );
});

test('a read that is moved behind the next write and its reader is found', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 50 }), fc.nat(), (writes, which) => {
      const moved = 1 + (which % (writes - 1));
      const intervals = Array.from({ length: writes }, (_, index) => at(10 * index, 10 * index + 5, write(index + 1)));
      const stale = at(10 * writes, 10 * writes + 1, read(moved));
      expect(isLinearizable([...intervals, stale], INITIAL)).toBe(false);
    }),
  );
});
