/** Returns whether the proxy with this IP is trusted. `hop` counts from 0, the peer of the connection. */
type TrustProxyFunction = (address: string, hop: number) => boolean;

/**
 * Returns the configuration's trust in proxies as Fastify's `trustProxy` option. Fastify ignores a plain number, because a
 * client that connects past the proxy would write the header itself: the nginx of docs/deploy.md prevents that.
 */
export function trustProxyOption(trust: false | number | string): false | string | TrustProxyFunction {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : trust;
}
