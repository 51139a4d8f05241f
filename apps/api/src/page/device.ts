const MAX_LENGTH = 64;

/** Browsers by their sign in User-Agent, those that also carry another one's sign first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns the browser and the system of a User-Agent, such as `Firefox, Windows`; empty: unknown. */
export function deviceOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 512);
  const nameIn = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(text))?.[1];
  const names = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return names.join(', ').slice(0, MAX_LENGTH);
}
