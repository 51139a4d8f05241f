import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on 127.0.0.1. It is closed with every connection at the end of its scope. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Serves HTTP on a free port, unless one is given. */
export async function serveHttp(listener: RequestListener = () => {}, onPort = 0): Promise<HttpServer> {
  const server = createServer(listener).listen(onPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
