import type { Lab } from './lab.ts';
import { median } from './statistics.ts';

/** Something that is measured beside others. */
export interface Contestant<Name extends string, Value> {
  readonly name: Name;
  /** One measurement, with so many seconds of load. */
  measure(seconds: number): Promise<Value>;
}

type Rounds = Pick<Lab, 'effort' | 'progress'>;

/**
 * Measures the contestants in turn, round after round, so that what slows the machine down for a while slows them all down.
 * The first round warms up and does not count.
 * @returns what each round gave, by name
 */
export async function inTurn<Name extends string, Value>(
  { effort: { rounds, seconds, warmUp }, progress }: Rounds,
  contestants: readonly Contestant<Name, Value>[],
): Promise<Readonly<Record<Name, readonly Value[]>>> {
  const values = new Map<Name, Value[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { name, measure } of contestants) {
      const value = await measure(round === 0 ? warmUp : seconds);
      if (round > 0) values.get(name)?.push(value);
    }
  }
  return Object.fromEntries(values) as Record<Name, Value[]>;
}

/** The same, and the median of each. */
export async function alternate<Name extends string>(
  lab: Rounds,
  contestants: readonly Contestant<Name, number>[],
): Promise<Readonly<Record<Name, number>>> {
  const values = Object.entries<readonly number[]>(await inTurn(lab, contestants));
  return Object.fromEntries(values.map(([name, all]) => [name, median(all)])) as Record<Name, number>;
}
