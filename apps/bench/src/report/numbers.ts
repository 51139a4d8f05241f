const SHORT = new Intl.NumberFormat('en', {
  maximumSignificantDigits: 3,
  roundingPriority: 'morePrecision',
  maximumFractionDigits: 0,
});

/** Formats a number with three significant digits, or all digits before the point. */
export function short(value: number | null): string {
  return value === null || !Number.isFinite(value) ? '-' : SHORT.format(value);
}

/** Formats the least and the greatest ratio of the rounds; an empty text without them. */
export function spreadOf(spread: { readonly from: number | null; readonly to: number | null } | undefined): string {
  return spread === undefined ? '' : `${short(spread.from)}–${short(spread.to)}`;
}

/** Formats the CPU time of the service and of the first peer; an empty text without them. */
export function costOf(
  cpu: { readonly ours: number | null; readonly peers: Readonly<Record<string, number | null>> } | undefined,
): string {
  return cpu === undefined ? '' : `${short(cpu.ours)} / ${short(Object.values(cpu.peers)[0] ?? null)}`;
}
