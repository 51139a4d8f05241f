import type { BenchContext } from './context.ts';

/** A measurement with its goal. */
export interface Row {
  /** Its name for `--only`. */
  readonly id: string;
  /** A description of one line. */
  readonly what: string;
  readonly unit: string;
  /** The bound of the ratio of our value to the first peer's; without a peer, of the value itself. */
  readonly goal: Goal;
  /** An additional condition, such as a bound in milliseconds. */
  readonly also?: string;
  measure(context: BenchContext): Promise<Measurement>;
}

export interface Goal {
  readonly is: 'at least' | 'at most';
  readonly ratio: number;
}

/** The measured values of a row. */
export interface Measurement {
  readonly ours: number;
  /** The peers' values by name. The goal applies to the first. */
  readonly peers: Readonly<Record<string, number>>;
  /** Replaces the ratio of our value to the first peer's. */
  readonly ratio?: number;
  /** The least and the greatest ratio of a round. */
  readonly spread?: Spread;
  /** The servers' CPU time for each request, or for each of what the row counts. */
  readonly cpu?: Cost;
  /** Whether the additional condition holds. */
  readonly alsoMet?: boolean;
  /** The cost at several sizes. */
  readonly curve?: readonly Point[];
  /** The labels of the curve's axes; sizes, and values in the row's unit, unless given. */
  readonly axes?: Axes;
  /** Additional information for the report. */
  readonly notes?: readonly string[];
}

/** The bounds of the ratios of all rounds. */
export interface Spread {
  readonly from: number;
  readonly to: number;
}

/** Microseconds of CPU time. */
export interface Cost {
  readonly ours: number;
  readonly peers: Readonly<Record<string, number>>;
}

/** A cost at a size. */
export interface Point {
  readonly name: string;
  readonly size: number;
  readonly value: number;
}

/** What the sizes of a curve count, such as `guilds`, and the unit of its values. */
export interface Axes {
  readonly size: string;
  readonly value: string;
}

/** The measured values of a row, and whether they meet its goal. */
export interface Result {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly peers: Readonly<Record<string, number>>;
  readonly ratio: number;
  readonly spread?: Spread;
  readonly cpu?: Cost;
  /** The goal as text, such as `>= 1.0`. */
  readonly target: string;
  readonly met: boolean;
  readonly curve?: readonly Point[];
  readonly axes?: Axes;
  readonly notes?: readonly string[];
}

/** Compares a measurement with the row's goal, or with a part of it: the guard test requires a third. */
export function judge(row: Row, measured: Measurement, part = 1): Result {
  const { ours, peers, spread, cpu, alsoMet = true, curve, axes, notes } = measured;
  const ratio = measured.ratio ?? ours / (Object.values(peers)[0] ?? 1);
  const { is, ratio: bound } = row.goal;
  const target = `${is === 'at least' ? '>=' : '<='} ${bound}${row.also ? `, ${row.also}` : ''}`;
  const reached = is === 'at least' ? ratio >= bound * part : ratio <= bound / part;
  return {
    id: row.id,
    what: row.what,
    unit: row.unit,
    ours,
    peers,
    ratio,
    target,
    // The guard test ignores additional conditions.
    met: reached && (alsoMet || part < 1),
    ...(spread && { spread }),
    ...(cpu && { cpu }),
    ...(curve && { curve }),
    ...(axes && { axes }),
    ...(notes && { notes }),
  };
}
