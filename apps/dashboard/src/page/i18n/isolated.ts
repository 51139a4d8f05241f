/** Right-to-left letters, and marks that change the direction of the following text. */
const OTHER_DIRECTION =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2068\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns a text by people, isolated so that its direction does not affect the sentence around it: between "first
 * strong isolate" and its end mark.
 * @see https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function isolated(text: string): string {
  return OTHER_DIRECTION.test(text) ? `\u2068${text}\u2069` : text;
}
