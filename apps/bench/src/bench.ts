import { ResourceStack, temporaryFolder } from '@guild-settings/testing';
import { markdownTable } from 'markdown-table';

/** A measurement of the service compared with alternatives. */
export interface Row {
  readonly id: string;
  readonly unit: string;
  readonly goal: Goal;
  /** An additional condition. */
  readonly also?: string;
  /** True: only measured when it is named. */
  readonly isOnRequest?: boolean;
  measure(context: BenchContext): Promise<Measurement>;
}

/** The limit of the ratio of our value to the first peer's, or of our value itself. */
type Goal = { readonly minRatio: number } | { readonly maxRatio: number } | { readonly maxValue: number };

export interface BenchContext {
  readonly profile: typeof FULL;
  readonly folder: string;
  readonly resources: ResourceStack;
  readonly progress: (line: string) => void;
}

const FULL = {
  rounds: 5,
  roundSeconds: 2,
  /** Seconds of the first round, which is not measured, so that V8 can compile the hot paths. */
  warmUpSeconds: 5,
  /** Guilds of rows about many guilds, and about more than fit into a cache. */
  manyGuilds: 100_000,
  wideGuilds: 300_000,
  /** The time for which memory is sampled. */
  soakSeconds: 120,
};
const QUICK = { roundSeconds: 0.4, warmUpSeconds: 1.5, manyGuilds: 20_000, wideGuilds: 100_000, soakSeconds: 10 };
/** Shows only that a row can be measured. */
const SMOKE = { roundSeconds: 0.1, warmUpSeconds: 0.1, manyGuilds: 1_000, wideGuilds: 2_000, soakSeconds: 1 };

export const PROFILES = {
  full: FULL,
  quick: { ...FULL, ...QUICK, rounds: 3 },
  smoke: { ...FULL, ...SMOKE, rounds: 1 },
};

/** The values of one candidate, one per round. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** The server's CPU time per request in microseconds. */
  readonly cpu?: readonly number[];
}

export interface Measurement {
  /** Ours first; the goal applies to the first peer. */
  readonly series: readonly [ours: Series, ...peers: Series[]];
  readonly also?: { readonly found: string; readonly isMet: boolean };
}

export interface Result {
  readonly id: string;
  readonly unit: string;
  readonly series: readonly { readonly name: string; readonly value: number; readonly cpu: number }[];
  /**
   * The median of the ratios of the rounds, whose values were measured in the same phase of the machine. NaN without a
   * peer.
   */
  readonly ratio: number;
  /** The smallest and largest of these ratios; without a peer, of the values. */
  readonly spread: { readonly from: number; readonly to: number };
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
export async function bench({ rows, profile, signal, onProgress, onFailure }: BenchOptions): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    signal?.throwIfAborted();
    try {
      using folder = temporaryFolder();
      await using resources = new ResourceStack(signal);
      const progress = (line: string) => {
        signal?.throwIfAborted();
        onProgress?.(`${row.id}: ${line}`);
      };
      results.push(judge(row, await row.measure({ profile, folder: folder.path, resources, progress })));
    } catch (error) {
      signal?.throwIfAborted();
      if (onFailure === undefined) throw error;
      onFailure(row, error);
    }
  }
  return results;
}

export function judge({ id, unit, goal, also }: Row, { series, also: found }: Measurement): Result {
  const [ours, peer] = series;
  const ratios =
    peer === undefined ? [] : ours.values.map((value, round) => value / (peer.values[round] ?? Number.NaN));
  const ratio = median(ratios);
  const compared = peer === undefined ? ours.values : ratios;
  const [text, isReached] =
    'minRatio' in goal
      ? [`>= ${goal.minRatio}`, ratio >= goal.minRatio]
      : 'maxRatio' in goal
        ? [`<= ${goal.maxRatio}`, ratio <= goal.maxRatio]
        : [`<= ${goal.maxValue} ${unit}`, median(ours.values) <= goal.maxValue];
  return {
    id,
    unit,
    series: series.map(({ name, values, cpu = [] }) => ({ name, value: median(values), cpu: median(cpu) })),
    ratio,
    spread: { from: Math.min(...compared), to: Math.max(...compared) },
    goal: `${text}${also ? `; ${also} (${found?.found})` : ''}`,
    isMet: isReached && (found?.isMet ?? true),
  };
}

/** Measures a candidate for some seconds, and returns its value, with the CPU time per request if known. */
export interface Candidate {
  readonly name: string;
  measure(seconds: number): Promise<{ readonly value: number; readonly cpu?: number }>;
}

/**
 * Measures the candidates alternately, round after round, so that a slow phase of the machine affects all of them. The
 * first round warms up and is not measured.
 */
export async function measureRounds(
  { profile, progress }: Pick<BenchContext, 'profile' | 'progress'>,
  ours: Candidate,
  ...peers: Candidate[]
): Promise<Measurement['series']> {
  const { rounds, roundSeconds, warmUpSeconds } = profile;
  const start = ({ name, measure }: Candidate) => ({ name, measure, values: [] as number[], cpu: [] as number[] });
  const series = [start(ours), ...peers.map(start)] as const;
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { measure, values, cpu } of series) {
      const measured = await measure(round === 0 ? warmUpSeconds : roundSeconds);
      if (round === 0) continue;
      values.push(measured.value);
      if (measured.cpu !== undefined) cpu.push(measured.cpu);
    }
  }
  return series;
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

const COLUMNS = ['row', 'ours', 'peers', 'unit', 'ratio', 'spread', 'CPU µs / peer', 'goal', 'met'];

export function reportOf(results: readonly Result[]): string {
  return markdownTable([COLUMNS, ...results.map(cellsOf)], { align: ['', 'r', 'r', '', 'r', 'r', 'r', '', ''] });
}

function cellsOf({ id, series: [ours, ...peers], unit, ratio, spread, goal, isMet }: Result): string[] {
  return [
    `\`${id}\``,
    short(ours?.value),
    peers.map(({ name, value }) => `${short(value)} (${name})`).join(', '),
    unit,
    short(ratio),
    `${short(spread.from)}–${short(spread.to)}`,
    Number.isNaN(ours?.cpu) ? '' : `${short(ours?.cpu)} / ${short(peers[0]?.cpu)}`,
    goal,
    isMet ? 'yes' : '**no**',
  ];
}

const SHORT = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  maximumFractionDigits: 0,
});

/** Formats a number with three significant digits, or all digits before the point. */
export function short(value = Number.NaN): string {
  return Number.isFinite(value) ? SHORT.format(value) : '';
}
