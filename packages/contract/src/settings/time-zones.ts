/** Names of zones that are abbreviations, which mean several zones, or another one than people expect. */
const ABBREVIATION = /^(?!UTC$|GMT$|PRC$|ROC$|ROK$|UCT$)[A-Z]{3}$/i;

/** The names as the runtime lists them, by their lower case. Links are not in it. */
let listed: ReadonlyMap<string, string> | undefined;

/**
 * Returns whether a text is the name of a time zone, of which a service may know more than a browser. Links are names: `Asia/Calcutta`.
 * @see https://data.iana.org/time-zones/theory.html
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || ABBREVIATION.test(name) || name.startsWith('SystemV/')) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the name of a time zone with its usual capitals: `Europe/Berlin` for `europe/berlin`. */
export function timeZoneName(name: string): string {
  listed ??= new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]));
  return listed.get(name.toLowerCase()) ?? (name === name.toLowerCase() ? capitalized(name) : name);
}

function capitalized(name: string): string {
  return name.replaceAll(/(?<=^|[/_-])(?!of|es|au)[a-z]/g, (letter) => letter.toUpperCase());
}
