import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the header that names the client of a request to the service, whose limits of addresses then count the client, and not
 * the dashboard. Behind a proxy that does not check it, the address is whatever the client has sent: without a header, it is no address.
 */
export function forwardedFor({ ip }: Pick<FastifyRequest, 'ip'>): Record<string, string> {
  return isIP(ip) === 0 ? {} : { 'x-forwarded-for': ip };
}
