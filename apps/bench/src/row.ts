import type { BenchContext } from './context.ts';

export interface Row {
  readonly id: string;
  /** The label of our value among the figures at the beginning of docs/performance.md. */
  readonly figure?: string;
  readonly unit: string;
  /** The bound of the ratio of our value to the first peer's; without a peer, of the value itself. */
  readonly goal: Goal;
  readonly also?: string;
  measure(context: BenchContext): Promise<Measurement>;
}

export interface Goal {
  readonly is: 'at least' | 'at most';
  readonly ratio: number;
}

export interface Measurement {
  readonly ours: number;
  /** The peers' values by name. The goal applies to the first. */
  readonly peers: Readonly<Record<string, number>>;
  /** The median of the ratios of all rounds; the ratio of the values unless given. */
  readonly ratio?: number;
  readonly spread?: Spread;
  /** The servers' CPU time for each request, or for each of what the row counts. */
  readonly cpu?: Cost;
  readonly also?: { readonly found: string; readonly isMet: boolean };
  readonly notes?: readonly string[];
}

export interface Spread {
  readonly from: number;
  readonly to: number;
}

export interface Cost {
  readonly ours: number;
  readonly peers: Readonly<Record<string, number>>;
}

/** The measured values of a row, and whether they meet its goal. */
export interface Result extends Omit<Measurement, 'also'> {
  readonly id: string;
  readonly unit: string;
  readonly ratio: number;
  /** The goal as text, such as `>= 1.2`, and the additional condition with its values. */
  readonly goal: string;
  readonly isMet: boolean;
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
