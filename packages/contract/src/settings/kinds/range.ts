import type { Flaw } from '../flaw.ts';
import type { Item, Keywords } from './kind.ts';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Returns what is not valid in a number. */
export function rangeFlaws(item: Item, { min, max }: Range): readonly Flaw[] {
  if (Number(item) < min) return [{ key: 'tooSmall', count: min }];
  return Number(item) > max ? [{ key: 'tooLarge', count: max }] : [];
}

/** Returns the limits of a number for a request schema. */
export function rangeLimits({ min, max }: Range): Keywords {
  return { minimum: min, maximum: max };
}

/** Returns the bytes of the longest number of a range. */
export function rangeBytes({ min, max }: Range): number {
  return Math.max(String(min).length, String(max).length);
}
