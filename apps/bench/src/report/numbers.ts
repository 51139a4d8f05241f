const SHORT = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  maximumFractionDigits: 0,
});

/** A measured number as precisely as it means something: three digits, or all before the point. */
export function short(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '-' : SHORT.format(value);
}
