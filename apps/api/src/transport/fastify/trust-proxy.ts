/** Whether to believe what an address in X-Forwarded-For says of the one before it; `hop` 0 is the connection's own. */
type TrustProxyFunction = (address: string, hop: number) => boolean;

/**
 * Returns the configuration's trust in proxies as Fastify's `trustProxy` option. Fastify ignores a plain number, because a
 * client that connects past the proxy would write the header itself: docs/operations.md asks operators to prevent that.
 */
export function trustProxyOption(trust: false | number | string): false | string | TrustProxyFunction {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}
