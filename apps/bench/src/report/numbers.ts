const SHORT = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  maximumFractionDigits: 0,
});

/** Formats a number with three significant digits, or all digits before the point. */
export function short(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '-' : SHORT.format(value);
}
