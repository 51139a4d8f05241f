import { AuditReason, LIMITS } from '@guild-settings/contract';
import { malformedHeader } from './malformed-header.ts';

const HEADER = 'X-Audit-Log-Reason';

/**
 * Decodes a reason for the change log: URL-encoded UTF-8, as in Discord's header of the same name.
 * @see https://docs.discord.com/developers/resources/audit-log
 * @throws ProblemError invalid-request when it is not URL-encoded, too long, or not plain text
 */
export function readAuditReason(header: string): string {
  if (header.length > LIMITS.reasonHeader) {
    throw malformedHeader(HEADER, `expected at most ${LIMITS.reason} characters before URL encoding`);
  }
  const { data, error } = AuditReason.safeParse(decode(header));
  if (data === undefined) throw malformedHeader(HEADER, error?.issues[0]?.message ?? 'expected text');
  return data;
}

function decode(header: string): string {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: only printable ASCII is URL-encoded
    if (/[^\x00-\x7f]/.test(header)) throw new URIError('not ASCII');
    return decodeURIComponent(header);
  } catch {
    throw malformedHeader(HEADER, 'expected URL-encoded UTF-8, such as made%20by%20hand');
  }
}
