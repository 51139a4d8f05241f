import { expect, test } from 'vitest';
import { digestShards, includesShard, packShards, unpackShards } from './packed-shards.ts';

const LAST = { id: 65_535, count: 65_536 };

test('shards are unpacked as they were packed, sorted by count and id', () => {
  const shards = [
    LAST,
    { id: 0, count: 1 },
    { id: 55_296, count: 57_344 },
    ...shardsFrom(5, 100),
    ...shardsFrom(5, 3),
    { id: 8, count: 9 },
    ...shardsFrom(700, 2).toReversed(),
  ];
  const sorted = shards.toSorted((a, b) => a.count - b.count || a.id - b.id);
  expect(unpackShards(packShards(shards))).toEqual(sorted);
});

test('a shard is found by its id and its count', () => {
  const packed = packShards([LAST, ...shardsFrom(7, 3), { id: 1, count: 3 }]);
  expect(includesShard(packed, LAST)).toBe(true);
  expect([6, 7, 8, 9, 10].filter((id) => includesShard(packed, { id, count: 40_000 }))).toEqual([7, 8, 9]);
  expect(includesShard(packed, { id: 1, count: 3 })).toBe(true);
  expect(includesShard(packed, { id: 1, count: 2 })).toBe(false);
  expect(includesShard(packed, { id: 65_535, count: 1 })).toBe(false);
});

test('other shards have another digest', () => {
  const digests = Array.from({ length: 10_000 }, (_, id) => digestShards(packShards(shardsFrom(4 * id, 4))));
  expect(new Set(digests).size).toBe(10_000);
  expect(digestShards(packShards(shardsFrom(0, 2)))).toBe(digestShards(packShards(shardsFrom(0, 2).toReversed())));
});

function shardsFrom(first: number, length: number) {
  return Array.from({ length }, (_, index) => ({ id: first + index, count: 40_000 }));
}
