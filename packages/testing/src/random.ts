const USUAL_SEED = 1;

/**
 * Returns the number of repetitions of a random test. The variable THOROUGH selects the larger number, for nightly
 * runs.
 */
export function repetitions(usual: number, thorough: number): number {
  return process.env.THOROUGH ? thorough : usual;
}

/**
 * Returns the seed of a random test and prints it. A normal run always uses the same seed, so that it fails because of
 * the change under test and not by chance; a thorough run uses a new one. The variable SEED repeats a run.
 */
export function printedSeed(subject: string): number {
  const seed = Number(process.env.SEED ?? repetitions(USUAL_SEED, Date.now() % 2 ** 31));
  console.log(`${subject}: SEED=${seed} repeats this run`);
  return seed;
}

/**
 * Returns a generator of numbers from 0 to below 1: the same ones for a seed.
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
