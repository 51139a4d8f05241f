/** Where a value is on an axis that shows each power of ten as wide as the next. */
export interface Scale {
  (value: number): number;
  /** The powers of ten at both ends. */
  readonly from: number;
  readonly to: number;
}

/** An axis over the powers of ten that hold these values, from one position to another. */
export function decades(values: readonly number[], [start, end]: readonly [number, number]): Scale {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))));
  const place = (value: number) => start + ((Math.log10(value) - from) / (to - from)) * (end - start);
  return Object.assign(place, { from, to });
}

/** What to write on an axis: powers of ten, and what is between them while there is room. */
export function ticks({ from, to }: Scale): number[] {
  const between = to - from <= 2 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: to - from }, (_, index) => from + index);
  return [...powers.flatMap((power) => between.map((one) => one * 10 ** power)), 10 ** to];
}
