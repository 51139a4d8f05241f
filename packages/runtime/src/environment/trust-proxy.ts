import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * The proxies whose X-Forwarded-For is trusted: none, a number of them, or their IP addresses and networks. `true` is
 * rejected: a client could choose its own IP address, and so evade the limits per IP address.
 */
export const TrustProxy = z
  .string()
  .refine(
    (value) => value === 'false' || HOP_COUNT.test(value) || value.split(',').every((part) => isNetwork(part.trim())),
    'expected the number of proxies from 1 to 9, or their IP addresses and networks such as 10.0.0.0/8,::1 separated by commas',
  )
  .transform((value): false | number | string => {
    if (value === 'false') return false;
    return HOP_COUNT.test(value) ? Number(value) : value;
  })
  .describe(
    'Proxies whose X-Forwarded-For is trusted: their number, or their addresses and networks, comma-separated.',
  );

const HOP_COUNT = /^[1-9]$/;

/** Returns true for an IP address or a network. A network of zero bits is refused: it holds every address. */
function isNetwork(part: string): boolean {
  const [address = '', bits, ...more] = part.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
