import type { BenchContext } from './context.ts';
import type { Measurement } from './row.ts';
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

/** The values of one candidate in all rounds. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** A measurement with the ratios of its rounds. */
export type Compared = Measurement & Required<Pick<Measurement, 'ratio' | 'spread'>>;

/** Measures the candidates alternately and compares the first with the others. */
export async function measurePeers(
  context: RoundContext,
  candidates: readonly Candidate<string, number>[],
): Promise<Compared> {
  const found = await measureRounds(context, candidates);
  const [ours, ...peers] = candidates.map(({ name }) => ({ name, values: found[name] ?? [] }));
  return compareSeries(ours ?? { name: '', values: [] }, peers);
}

/**
 * Compares values of alternating rounds with those of peers. The ratio is the median of the ratios of each round, because the
 * values of a round were measured in the same phase of the machine; the spread is that of these ratios.
 */
export function compareSeries(ours: Series, peers: readonly Series[]): Compared {
  const ratios = ours.values.map((value, round) => value / (peers[0]?.values[round] ?? 1));
  return {
    ours: median(ours.values),
    peers: Object.fromEntries(peers.map(({ name, values }) => [name, median(values)])),
    ratio: median(ratios),
    spread: { from: Math.min(...ratios), to: Math.max(...ratios) },
  };
}
