import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports of outgoing connections: one of those could take the port of a server that is being restarted. */
const MIN_PORT = 10_000;
const MAX_PORT = 32_000;

/** Returns a port of 127.0.0.1 that is free now, for a server that keeps its port over restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) {
      await new Promise((closed) => server.close(closed));
      return port;
    }
  }
}

/** Returns a URL of 127.0.0.1 that refuses connections. */
export async function unreachableUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
