import type { Lab } from './lab.ts';

/** What is measured, and what it has to reach. */
export interface Row {
  /** As `--only` takes it. */
  readonly id: string;
  /** What is measured, in a line. */
  readonly what: string;
  readonly unit: string;
  /** What the ratio has to be, ours over the first peer's. Without a peer it is the value itself that has to. */
  readonly goal: Goal;
  /** What else has to hold, such as a bound in milliseconds. */
  readonly also?: string;
  measure(lab: Lab): Promise<Measured>;
}

export interface Goal {
  readonly is: 'at least' | 'at most';
  readonly ratio: number;
}

/** What a row's measuring gave. */
export interface Measured {
  readonly ours: number;
  /** Each peer's value by its name. The goal speaks of the first. */
  readonly peers: Readonly<Record<string, number>>;
  /** Set where the ratio is not that of ours over the first peer's. */
  readonly ratio?: number;
  /** Whether what the row asks beside its ratio holds. */
  readonly alsoMet?: boolean;
  /** Points of a curve, for rows that say how a cost grows with size. */
  readonly curve?: readonly Point[];
  /** What the curve's axes show. Without it a value is in the row's unit. */
  readonly axes?: Axes;
  /** What else is worth knowing, in words. */
  readonly notes?: readonly string[];
}

/** A cost at a size. */
export interface Point {
  readonly name: string;
  readonly size: number;
  readonly value: number;
}

/** What a curve's sizes count, such as `guilds`, and the unit of its values. */
export interface Axes {
  readonly size: string;
  readonly value: string;
}

/** A row's measuring, judged. */
export interface Result {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly peers: Readonly<Record<string, number>>;
  readonly ratio: number;
  /** In words, such as `>= 1.0`. */
  readonly target: string;
  readonly met: boolean;
  readonly curve?: readonly Point[];
  readonly axes?: Axes;
  readonly notes?: readonly string[];
}

/** Judges what was measured by the row's goal, or by a part of it: a guard asks for a third. */
export function judge(row: Row, measured: Measured, part = 1): Result {
  const { ours, peers, alsoMet = true, curve, axes, notes } = measured;
  const ratio = measured.ratio ?? ours / (Object.values(peers)[0] ?? 1);
  const { is, ratio: wanted } = row.goal;
  const target = `${is === 'at least' ? '>=' : '<='} ${wanted}${row.also ? `, ${row.also}` : ''}`;
  const reached = is === 'at least' ? ratio >= wanted * part : ratio <= wanted / part;
  return {
    id: row.id,
    what: row.what,
    unit: row.unit,
    ours,
    peers,
    ratio,
    target,
    // A guard asks for ratios alone.
    met: reached && (alsoMet || part < 1),
    ...(curve && { curve }),
    ...(axes && { axes }),
    ...(notes && { notes }),
  };
}
