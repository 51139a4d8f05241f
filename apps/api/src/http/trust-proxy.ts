/** Whether to believe what an address in X-Forwarded-For says of the one before it; `hop` 0 is the connection's own. */
type TrustProxyFunction = (address: string, hop: number) => boolean;

/**
 * The configuration's trust in proxies, as Fastify takes it. Fastify trusts nobody by a number alone, because a client that
 * connects past the proxy would write the header itself: docs/operations.md tells operators to rule that out.
 */
export function trustProxyOption(trust: false | number | string): false | string | TrustProxyFunction {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}
