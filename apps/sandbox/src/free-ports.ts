import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ServerPort {
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly variable: string;
  readonly defaultPort: number;
}

/** Another process listens on some ports. The message suggests free ones. */
class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Checks all ports before anything is started, so that one message lists all taken ports.
 * @param command the script that the message suggests; start unless given
 * @throws PortTakenError
 */
export async function requireFreePorts(servers: readonly ServerPort[], command = 'start'): Promise<void> {
  const checked = await Promise.all(servers.map(async (server) => ({ ...server, free: await isFree(server) })));
  const taken = checked.filter(({ free }) => !free);
  if (taken.length === 0) return;
  const changed = (await withFreePorts(checked)).filter(({ port, defaultPort }) => port !== defaultPort);
  throw new PortTakenError(
    [
      ...taken.map(({ server, port }) => `Port ${port} is taken, so ${server} cannot listen on it.`),
      `Stop what listens there, or choose another: ${changed.map(({ variable, port }) => `${variable}=${port} `).join('')}npx --yes pnpm@12 ${command}`,
    ].join('\n'),
  );
}

/** Replaces taken ports by near ones, such as 3010 for 3000. */
async function withFreePorts<T extends ServerPort & { readonly free: boolean }>(servers: readonly T[]): Promise<T[]> {
  const used = new Set(servers.map(({ port }) => port));
  const settled: T[] = [];
  for (const server of servers) {
    const port = server.free ? server.port : await nearFreePort(server, used);
    used.add(port);
    settled.push({ ...server, port });
  }
  return settled;
}

async function nearFreePort({ host, port }: ServerPort, used: ReadonlySet<number>): Promise<number> {
  const candidates = [10, 20, 30, 40, 50, -10, -20].map((distance) => port + distance);
  const possible = candidates.filter((candidate) => candidate > 0 && candidate <= 65_535 && !used.has(candidate));
  for (const candidate of possible) {
    if (await isFree({ host, port: candidate })) return candidate;
  }
  return 0;
}

/** Returns false only for a taken port: other errors appear when the server listens. */
async function isFree({ host, port }: Pick<ServerPort, 'host' | 'port'>): Promise<boolean> {
  if (port === 0) return true;
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE');
  } finally {
    if (server.listening) await new Promise((done) => server.close(done));
  }
}
