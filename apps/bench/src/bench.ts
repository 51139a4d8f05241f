import { ResourceStack, temporaryFolder } from '@guild-settings/testing';

/** A measurement of the service beside alternatives. */
export interface Row {
  readonly id: string;
  /** The label of our value among the figures at the beginning of docs/performance.md. */
  readonly figure?: string;
  readonly unit: string;
  /** The bound of the ratio of our value to the first peer's; without a peer, of the value itself. */
  readonly goal: { readonly is: 'at least' | 'at most'; readonly ratio: number };
  readonly also?: string;
  /** True: measured when it is named, and not in a run of all rows. */
  readonly isOnRequest?: boolean;
  measure(context: BenchContext): Promise<Measurement>;
}

export interface BenchContext {
  readonly profile: typeof FULL;
  readonly folder: string;
  readonly resources: ResourceStack;
  readonly progress: (line: string) => void;
}

const FULL = {
  rounds: 5,
  roundSeconds: 2,
  /** The first round, which is not measured: until V8 has compiled the hot paths. */
  warmUpSeconds: 5,
  /** Guilds of rows about many guilds, and about more than fit into a cache. */
  manyGuilds: 100_000,
  wideGuilds: 300_000,
  /** The time for which memory is sampled. */
  soakSeconds: 120,
  /** Repetitions of what a person does in a browser. */
  visits: 5,
};
const QUICK = { roundSeconds: 0.4, warmUpSeconds: 1.5, manyGuilds: 20_000, wideGuilds: 100_000, soakSeconds: 10 };
/** Shows that a row can be measured, and nothing more. */
const SMOKE = { roundSeconds: 0.1, warmUpSeconds: 0.1, manyGuilds: 1_000, wideGuilds: 2_000, soakSeconds: 1 };

export const PROFILES = {
  full: FULL,
  quick: { ...FULL, ...QUICK, visits: 1 },
  smoke: { ...FULL, ...SMOKE, rounds: 1, visits: 1 },
};

type Values = Readonly<Record<string, number>>;

export interface Measurement {
  readonly ours: number;
  /** The peers' values by name. The goal applies to the first. */
  readonly peers: Values;
  /** The median of the ratios of all rounds; the ratio of the values unless given. */
  readonly ratio?: number;
  readonly spread?: { readonly from: number; readonly to: number };
  /** The servers' CPU time for each request. */
  readonly cpu?: { readonly ours: number; readonly peers: Values };
  readonly also?: { readonly found: string; readonly isMet: boolean };
  readonly notes?: readonly string[];
}

export interface Result extends Omit<Measurement, 'also'> {
  readonly id: string;
  readonly unit: string;
  readonly ratio: number;
  /** The goal as text, such as `>= 1.2`, and the additional condition with its values. */
  readonly goal: string;
  readonly isMet: boolean;
}

export interface BenchOptions {
  readonly rows: readonly Row[];
  readonly profile: typeof FULL;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
  /** Called for a row that could not be measured. Unless given, such a row ends the run. */
  readonly onFailure?: (row: Row, error: unknown) => void;
}

/**
 * Measures the rows one after another, each with its own servers and files.
 * @throws the signal's reason when it is aborted, after everything was stopped and deleted
 */
export async function bench({ rows, onFailure, ...options }: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    options.signal?.throwIfAborted();
    try {
      results.push(await measureRow(row, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      if (onFailure === undefined) throw error;
      onFailure(row, error);
    }
  }
  return results;
}

async function measureRow(row: Row, { profile, signal, onProgress }: Omit<BenchOptions, 'rows'>): Promise<Result> {
  using folder = temporaryFolder();
  await using resources = new ResourceStack(signal);
  const progress = (line: string) => {
    signal?.throwIfAborted();
    onProgress?.(`${row.id}: ${line}`);
  };
  return judge(row, await row.measure({ profile, folder: folder.path, resources, progress }));
}

export function judge({ id, unit, goal, also }: Row, { also: found, ...measured }: Measurement): Result {
  const ratio = measured.ratio ?? measured.ours / (Object.values(measured.peers)[0] ?? 1);
  const isReached = goal.is === 'at least' ? ratio >= goal.ratio : ratio <= goal.ratio;
  return {
    ...measured,
    id,
    unit,
    ratio,
    goal: `${goal.is === 'at least' ? '>=' : '<='} ${goal.ratio}${also ? `; ${also} (${found?.found})` : ''}`,
    isMet: isReached && (found?.isMet ?? true),
  };
}

export interface Series<Value = number> {
  readonly name: string;
  readonly values: readonly Value[];
}

/**
 * Measures the candidates alternately, round after round, so that a slow phase of the machine affects all of them. The first
 * round warms up and is not measured.
 */
export async function measureRounds<Value>(
  { profile, progress }: Pick<BenchContext, 'profile' | 'progress'>,
  candidates: readonly { readonly name: string; measure(seconds: number): Promise<Value> }[],
): Promise<Series<Value>[]> {
  const { rounds, roundSeconds, warmUpSeconds } = profile;
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

export type Compared = Measurement & Required<Pick<Measurement, 'ratio' | 'spread'>> & { readonly ratios: Values };

/**
 * Compares values of alternating rounds, those of the first with those of its peers. The ratio is the median of the ratios of each
 * round, because the values of a round were measured in the same phase of the machine; the spread is that of these ratios.
 */
export function compareSeries(series: readonly Series[]): Compared {
  const [ours, ...peers] = series;
  const ratiosTo = (peer: Series | undefined) =>
    (ours?.values ?? []).map((value, round) => value / (peer?.values[round] ?? 1));
  const first = ratiosTo(peers[0]);
  return {
    ...medians(series),
    ratio: median(first),
    spread: rangeOf(first),
    ratios: Object.fromEntries(peers.map((peer) => [peer.name, median(ratiosTo(peer))])),
  };
}

export function medians([ours, ...peers]: readonly Series[]): Pick<Measurement, 'ours' | 'peers'> {
  return {
    ours: median(ours?.values ?? []),
    peers: Object.fromEntries(peers.map(({ name, values }) => [name, median(values)])),
  };
}

export function rangeOf(values: readonly number[]): { readonly from: number; readonly to: number } {
  return { from: Math.min(...values), to: Math.max(...values) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}
