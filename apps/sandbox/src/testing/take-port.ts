import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Listens on a port until the end of the scope: on a free one unless given. */
export async function takePort(port = 0): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}
