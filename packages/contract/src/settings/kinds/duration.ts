import { kind } from './kind.ts';
import { plainDigits } from './plain-digits.ts';
import { rangeBytes, rangeFlaws, rangeLimits } from './range.ts';

const SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** Parses `90`, `10m` or `1h 30m` to seconds; undefined: it is no duration. */
export function secondsIn(typed: string): number | undefined {
  const text = plainDigits(typed).toLowerCase();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (!/^(?:\d{1,9}\s*[wdhms]\s*)+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)\s*([wdhms])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (SECONDS[unit ?? ''] ?? 0), 0);
}

export const DURATION = kind<'duration'>({
  type: 'integer',
  control: 'duration',
  empty: undefined,
  flaws: rangeFlaws,
  parse: (typed) => secondsIn(typed),
  keywords: (options) => ({ ...rangeLimits(options), description: 'In seconds.' }),
  maxBytes: rangeBytes,
});
