/**
 * Parses a Retry-After header, which is a number of seconds or a date, to seconds.
 * @param sentAt the response's `Date` header: a date is compared with the sender's clock, because the local one may be wrong
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function retryAfterSeconds(header: string | null, sentAt: string | null = null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header);
  const date = Date.parse(header);
  if (Number.isNaN(date)) return undefined;
  const now = Date.parse(sentAt ?? '');
  return Math.max(0, (date - (Number.isNaN(now) ? Date.now() : now)) / 1_000);
}
