import { negotiate } from '@fastify/accept-negotiator';

/**
 * Returns the content coding that a client prefers: identity unless it has named another one. Without the header, and with `*`,
 * every coding is acceptable (RFC 9110, section 12.5.3), and yet many of these clients can read none.
 * @param header the value of Accept-Encoding
 * @param codings what there is besides identity, the best first
 */
export function acceptedCoding<Coding extends string>(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | 'identity' {
  // The first one is that of `*`.
  return negotiate(header?.toLowerCase() ?? '', ['identity', ...codings]) ?? 'identity';
}
