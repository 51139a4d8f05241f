/** Returns the seed of a random test and prints it; the variable SEED repeats a run. */
export function printedSeed(subject: string): number {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  console.log(`${subject}: SEED=${seed} repeats this run`);
  return seed;
}
