import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a server that can be cut after the server has answered and before the answer arrives. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many answers have come from the server. */
  readonly answers: number;
  /** Cuts the connection instead of passing the next answer on; of a request that holds a text, where one is given. */
  cutNextAnswer(request?: string): void;
}

/** Starts a wire to a server. It does not understand HTTP; its requests come one after another. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let answers = 0;
  let cutting: string | undefined;
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    let asked = '';
    client.on('data', (chunk: Buffer) => {
      asked = chunk.toString('latin1');
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      answers += 1;
      if (cutting === undefined || !asked.includes(cutting)) {
        client.write(chunk);
        return;
      }
      cutting = undefined;
      client.destroy();
      upstream.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get answers() {
      return answers;
    },
    cutNextAnswer(request = '') {
      cutting = request;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
