/** Names of zones that are abbreviations, which are ambiguous or unexpected. */
const ABBREVIATION = /^(?!UTC$|GMT$|PRC$|ROC$|ROK$|UCT$)[A-Z]{3}$/i;

/** Requested names that are valid time zones, in lower case: `Intl` is slow. */
const KNOWN = new Set<string>();

/**
 * Returns true if a text is the name of a time zone. A service may know more of them than a browser. Links are names:
 * `Asia/Calcutta`.
 * @see https://data.iana.org/time-zones/theory.html
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || ABBREVIATION.test(name) || name.startsWith('SystemV/')) return false;
  const key = name.toLowerCase();
  if (KNOWN.has(key)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    KNOWN.add(key);
    return true;
  } catch {
    return false;
  }
}

/** The words in names of time zones that are not written with a single initial capital. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    'ACT au BajaNorte BajaSur CET CHAT ComodRivadavia CST6CDT DeNoronha DumontDUrville EasterIsland EET es EST EST5EDT GB GMT GMT0 HST IN',
    'LHI McMurdo MET MST MST7MDT NSW NZ of PRC PST8PDT ROC ROK SU UCT US UTC WET',
  ]
    .flatMap((line) => line.split(' '))
    .map((word) => [word.toLowerCase(), word]),
);

/**
 * Returns the name of a time zone in IANA's spelling: `Europe/Berlin` for `europe/berlin`. Links stay links:
 * `Asia/Kolkata`.
 */
export function timeZoneName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[a-z][a-z0-9]*/g, (word) => SPELLINGS.get(word) ?? `${word[0]?.toUpperCase()}${word.slice(1)}`);
}
