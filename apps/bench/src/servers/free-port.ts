import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections: one of those could take the port of a server that is away. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/** A port that nobody listens on now, for a server that keeps its port over restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
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
