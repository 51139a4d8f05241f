import type { BenchContext } from './context.ts';
import type { Measurement } from './row.ts';
import { median } from './statistics.ts';

export interface Candidate<Value> {
  readonly name: string;
  measure(seconds: number): Promise<Value>;
}

type RoundContext = Pick<BenchContext, 'profile' | 'progress'>;

export interface Series<Value = number> {
  readonly name: string;
  readonly values: readonly Value[];
}

/**
 * Measures the candidates alternately, round after round, so that a slow phase of the machine affects all of them. The first
 * round warms up and is not measured.
 */
export async function measureRounds<Value>(
  { profile: { rounds, roundSeconds, warmUpSeconds }, progress }: RoundContext,
  candidates: readonly Candidate<Value>[],
): Promise<Series<Value>[]> {
  const series = candidates.map((candidate) => ({ ...candidate, values: [] as Value[] }));
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { measure, values } of series) {
      const value = await measure(round === 0 ? warmUpSeconds : roundSeconds);
      if (round > 0) values.push(value);
    }
  }
  return series.map(({ name, values }) => ({ name, values }));
}

export type Compared = Measurement &
  Required<Pick<Measurement, 'ratio' | 'spread'>> & {
    readonly ratios: Readonly<Record<string, number>>;
  };

/** Measures the candidates alternately and compares the first with the others. */
export async function measurePeers(context: RoundContext, candidates: readonly Candidate<number>[]): Promise<Compared> {
  return compareSeries(await measureRounds(context, candidates));
}

/**
 * Compares values of alternating rounds, those of the first with those of its peers. The ratio is the median of the ratios of each
 * round, because the values of a round were measured in the same phase of the machine; the spread is that of these ratios.
 */
export function compareSeries([ours, ...peers]: readonly Series[]): Compared {
  const ratiosTo = (peer: Series | undefined) =>
    (ours?.values ?? []).map((value, round) => value / (peer?.values[round] ?? 1));
  const first = ratiosTo(peers[0]);
  return {
    ...medians([ours, ...peers]),
    ratio: median(first),
    spread: rangeOf(first),
    ratios: Object.fromEntries(peers.map((peer) => [peer.name, median(ratiosTo(peer))])),
  };
}

export function medians([ours, ...peers]: readonly (Series | undefined)[]): Pick<Measurement, 'ours' | 'peers'> {
  return {
    ours: median(ours?.values ?? []),
    peers: Object.fromEntries(peers.flatMap((peer) => (peer ? [[peer.name, median(peer.values)]] : []))),
  };
}

export function rangeOf(values: readonly number[]): { readonly from: number; readonly to: number } {
  return { from: Math.min(...values), to: Math.max(...values) };
}
