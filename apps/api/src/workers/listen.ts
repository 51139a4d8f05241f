import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net';

/** Errors of addresses that the machine does not have, such as `::1` in a container without IPv6. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Accepts connections at a host, without reading from them: for `localhost` at each of its addresses that the machine has.
 * @returns the servers, and their URLs
 */
export async function listenAt(
  { host, port }: { readonly host: string; readonly port: number },
  onConnection: (socket: Socket) => void,
): Promise<{ readonly servers: readonly Server[]; readonly urls: readonly string[] }> {
  const found = await lookup(host, { all: true });
  const addresses = new Set((host === 'localhost' ? found : found.slice(0, 1)).map(({ address }) => address));
  let absent: unknown;
  const servers: Server[] = [];
  const urls: string[] = [];
  for (const address of addresses) {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, onConnection);
    // The first address chooses the port for all of them, where any will do.
    const chosen = (servers[0]?.address() as AddressInfo | undefined)?.port ?? port;
    try {
      await once(server.listen({ host: address, port: chosen }), 'listening');
    } catch (error) {
      if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) {
        absent = error;
        continue;
      }
      for (const listening of servers) listening.close();
      throw error;
    }
    servers.push(server);
    const { port: used } = server.address() as AddressInfo;
    urls.push(`http://${isIPv6(address) ? `[${address}]` : address}:${used}`);
  }
  if (servers.length === 0) throw absent;
  return { servers, urls };
}
