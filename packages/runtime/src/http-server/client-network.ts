import { isIPv6, SocketAddress } from 'node:net';

/** Returns what is counted as one client: the /64 network of an IPv6 address, or an IPv4 address, also one mapped to IPv6. */
export function clientNetwork(clientIp: string): string {
  if (!isIPv6(clientIp)) return clientIp;
  // Node's canonical form: lower case, no leading zeros, the longest run of zeros as "::".
  const canonical = new SocketAddress({ address: clientIp, family: 'ipv6' }).address;
  const mapped = /^::ffff:([\d.]+)$/.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [left = [], right = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
