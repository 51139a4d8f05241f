import type { BenchContext } from './context.ts';
import { median } from './statistics.ts';

/** Something that is measured against others. */
export interface Candidate<Name extends string, Value> {
  readonly name: Name;
  /** Measures once, with some seconds of load. */
  measure(seconds: number): Promise<Value>;
}

type RoundContext = Pick<BenchContext, 'profile' | 'progress'>;

/**
 * Measures the candidates alternately, round after round, so that a slow phase of the machine affects all of them. The first
 * round warms up and is not measured.
 * @returns the values of all rounds by name
 */
export async function measureRounds<Name extends string, Value>(
  { profile: { rounds, roundSeconds, warmUpSeconds }, progress }: RoundContext,
  candidates: readonly Candidate<Name, Value>[],
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const values = new Map<Name, Value[]>(candidates.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { name, measure } of candidates) {
      const value = await measure(round === 0 ? warmUpSeconds : roundSeconds);
      if (round > 0) values.get(name)?.push(value);
    }
  }
  return Object.fromEntries(values) as Record<Name, Value[]>;
}

/** Measures the candidates alternately and returns the median of each. */
export async function measureMedians<Name extends string>(
  context: RoundContext,
  candidates: readonly Candidate<Name, number>[],
): Promise<Readonly<Record<Name, number>>> {
  const values = Object.entries<readonly number[]>(await measureRounds(context, candidates));
  return Object.fromEntries(values.map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}
