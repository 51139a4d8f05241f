/**
 * Returns a generator of numbers from 0 to 1, below 1: the same ones for a seed.
 * @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (mulberry32)
 */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
