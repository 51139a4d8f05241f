/**
 * Returns how often a random test repeats something: seeds differ from run to run, so runs add up. The variable THOROUGH
 * chooses the larger number, for a run at night.
 */
export function repetitions(usual: number, thorough: number): number {
  return process.env.THOROUGH ? thorough : usual;
}

/** Returns the seed of a random test and prints it; the variable SEED repeats a run. */
export function printedSeed(subject: string): number {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  console.log(`${subject}: SEED=${seed} repeats this run`);
  return seed;
}
