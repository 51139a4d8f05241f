/**
 * The seconds that a Retry-After header asks to wait, whether it is written as seconds or as a date.
 * @param sentAt the answer's `Date` header: a date is counted from the sender's clock, because ours may be off
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
