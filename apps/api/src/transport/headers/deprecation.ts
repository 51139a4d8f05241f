import type { Deprecation } from '@guild-settings/contract/operations';

/**
 * Returns the headers of responses of a deprecated operation: since when it is, and when it ends.
 * @see https://www.rfc-editor.org/rfc/rfc9745 Deprecation
 * @see https://www.rfc-editor.org/rfc/rfc8594 Sunset
 */
export function deprecationHeaders(deprecation: Deprecation | undefined): Record<string, string> {
  if (deprecation === undefined) return {};
  const { since, sunset } = deprecation;
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
}

export function linksOf(deprecation: Deprecation | undefined): string[] {
  return deprecation?.link === undefined ? [] : [`<${deprecation.link}>; rel="deprecation"`];
}
