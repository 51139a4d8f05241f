import { LIMITS } from '@guild-settings/contract';

const PREFERENCES = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

const WAIT = /^[ \t]*wait[ \t]*(?=[=;]|$)/i;

/** The value of the preference before its parameters: a quoted string, or a token with white space. */
const VALUE = /^=(?:[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*|([^";]*))(?:;|$)/;

/**
 * Returns the preferred wait in seconds, at most the longest that is honoured. Only the first preference of the name counts, and
 * what is not understood is ignored, as the standard requires.
 * @see https://www.rfc-editor.org/rfc/rfc7240#section-2
 */
export function readPreferredWait(header: string): number | undefined {
  for (const [preference] of header.matchAll(PREFERENCES)) {
    const [name] = WAIT.exec(preference) ?? [];
    if (name === undefined) continue;
    const [, quoted, token] = VALUE.exec(preference.slice(name.length)) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? token?.trim() ?? '';
    return /^\d+$/.test(value) ? Math.min(LIMITS.waitSeconds, Number(value)) : undefined;
  }
  return undefined;
}
