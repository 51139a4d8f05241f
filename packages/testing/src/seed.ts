/** The seed of ordinary runs. */
const USUAL_SEED = 1;

/** Returns how often a random test repeats something. The variable THOROUGH chooses the larger number, for a run at night. */
export function repetitions(usual: number, thorough: number): number {
  return process.env.THOROUGH ? thorough : usual;
}

/**
 * Returns the seed of a random test and prints it. An ordinary run draws the same each time, so that it fails for the
 * change that it checks and not by chance; a thorough one draws anew. The variable SEED repeats a run.
 */
export function printedSeed(subject: string): number {
  const seed = Number(process.env.SEED ?? repetitions(USUAL_SEED, Date.now() % 2 ** 31));
  console.log(`${subject}: SEED=${seed} repeats this run`);
  return seed;
}
