import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a server that can be cut after the server has answered and before the answer arrives. */
export interface CuttingWire extends AsyncDisposable {
  readonly port: number;
  /** Cuts the connection instead of passing on the answer to the next message that holds a text. */
  cutAnswerTo(text: string): void;
  /** How often it was cut. */
  readonly cuts: number;
}

/** Starts a wire to a port of 127.0.0.1. */
export async function startCuttingWire(targetPort: number): Promise<CuttingWire> {
  const sockets = new Set<Socket>();
  let cutting: string | undefined;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: targetPort });
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => {
      if (cutting !== undefined && chunk.includes(cutting)) {
        cutting = undefined;
        isCut = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!isCut) return client.write(chunk);
      cuts += 1;
      return client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    cutAnswerTo(text) {
      cutting = text;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
