/** Maps a value to a position on a logarithmic axis. */
export interface Scale {
  (value: number): number;
  /** The powers of ten at both ends. */
  readonly from: number;
  readonly to: number;
}

/** Creates a logarithmic axis over the powers of ten around some values. */
export function decades(values: readonly number[], [start, end]: readonly [number, number]): Scale {
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))));
  const place = (value: number) => start + ((Math.log10(value) - from) / (to - from)) * (end - start);
  return Object.assign(place, { from, to });
}

/** Returns the tick values of an axis: powers of ten, and 2 and 5 times them on a short axis. */
export function ticks({ from, to }: Scale): number[] {
  const between = to - from <= 2 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: to - from }, (_, index) => from + index);
  return [...powers.flatMap((power) => between.map((one) => one * 10 ** power)), 10 ** to];
}
