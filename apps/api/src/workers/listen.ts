import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net';

/**
 * Accepts connections at all addresses of a host, without reading from them.
 * @returns the servers, and their URLs
 */
export async function listenAt(
  { host, port }: { readonly host: string; readonly port: number },
  onConnection: (socket: Socket) => void,
): Promise<{ readonly servers: readonly Server[]; readonly urls: readonly string[] }> {
  const addresses = new Set((await lookup(host, { all: true })).map(({ address }) => address));
  const servers: Server[] = [];
  const urls: string[] = [];
  for (const address of addresses) {
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, onConnection);
    // The first address chooses the port for all of them, where any will do.
    const chosen = (servers[0]?.address() as AddressInfo | undefined)?.port ?? port;
    try {
      await once(server.listen({ host: address, port: chosen }), 'listening');
    } catch (error) {
      for (const listening of servers) listening.close();
      throw error;
    }
    servers.push(server);
    const { port: used } = server.address() as AddressInfo;
    urls.push(`http://${isIPv6(address) ? `[${address}]` : address}:${used}`);
  }
  return { servers, urls };
}
