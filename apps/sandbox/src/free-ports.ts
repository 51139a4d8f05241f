import { once } from 'node:events';
import { createServer } from 'node:net';

/** A part that is to listen, and the environment variable that says where. */
export interface ListeningPart {
  readonly part: string;
  readonly host: string;
  readonly port: number;
  readonly variable: string;
  /** The port when the variable is not set. */
  readonly usual: number;
}

/** Ports that something else listens on. The message says what to do. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

/**
 * Looks at all the ports before anything is started, so that one message can name all that are taken.
 * @throws PortTakenError
 */
export async function requireFreePorts(parts: readonly ListeningPart[]): Promise<void> {
  const looked = await Promise.all(parts.map(async (part) => ({ ...part, free: await isFree(part) })));
  const taken = looked.filter(({ free }) => !free);
  if (taken.length === 0) return;
  const changed = (await withFreePorts(looked)).filter(({ port, usual }) => port !== usual);
  throw new PortTakenError(
    [
      ...taken.map(({ part, port }) => `Port ${port} is taken, so ${part} cannot listen on it.`),
      `Stop what listens there, or choose another: ${changed.map(({ variable, port }) => `${variable}=${port} `).join('')}npx --yes pnpm@12 start`,
    ].join('\n'),
  );
}

/** The parts with a port near by, such as 3010 for 3000, in place of one that is taken. */
async function withFreePorts<T extends ListeningPart & { readonly free: boolean }>(parts: readonly T[]): Promise<T[]> {
  const used = new Set(parts.map(({ port }) => port));
  const settled: T[] = [];
  for (const part of parts) {
    const port = part.free ? part.port : await another(part, used);
    used.add(port);
    settled.push({ ...part, port });
  }
  return settled;
}

async function another({ host, port }: ListeningPart, used: ReadonlySet<number>): Promise<number> {
  const candidates = [10, 20, 30, 40, 50, -10, -20].map((distance) => port + distance);
  const possible = candidates.filter((candidate) => candidate > 0 && candidate <= 65_535 && !used.has(candidate));
  for (const candidate of possible) {
    if (await isFree({ host, port: candidate })) return candidate;
  }
  return 0;
}

/** Whatever else is wrong with an address is said when it is really listened on. */
async function isFree({ host, port }: Pick<ListeningPart, 'host' | 'port'>): Promise<boolean> {
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
