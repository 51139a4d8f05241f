const KIBIBYTE = 1_024;

/** Returns a size for people: "2 MB", "512 kB". Powers of 1024 by the names that file managers use. */
export function sizeText(bytes: number, language: string): string {
  const [value, unit] =
    bytes >= KIBIBYTE ** 2
      ? ([bytes / KIBIBYTE ** 2, 'megabyte'] as const)
      : ([Math.ceil(bytes / KIBIBYTE), 'kilobyte'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
