import type { Lab } from './lab.ts';
import { median } from './statistics.ts';

/** Something that is measured beside others. */
export interface Contestant {
  readonly name: string;
  /** One measurement, with so many seconds of load. */
  measure(seconds: number): Promise<number>;
}

/**
 * Measures the contestants in turn, round after round, so that what slows the machine down for a while slows them all down.
 * The first round warms up and does not count.
 * @returns the median of each, by name
 */
export async function alternate<Name extends string>(
  { effort: { rounds, seconds, warmUp }, progress }: Pick<Lab, 'effort' | 'progress'>,
  contestants: readonly (Contestant & { readonly name: Name })[],
): Promise<Readonly<Record<Name, number>>> {
  const values = new Map<Name, number[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { name, measure } of contestants) {
      const value = await measure(round === 0 ? warmUp : seconds);
      if (round > 0) values.get(name)?.push(value);
    }
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}
