import { fileURLToPath } from 'node:url';
import type { PlacedProgramOptions } from './program.ts';
import { type Server, startServer } from './server.ts';

export type PeerName =
  | 'bare-fastify'
  | 'empty-event'
  | 'json-lines'
  | 'plain-postgres'
  | 'plain-sqlite'
  | 'socket-loop'
  | 'stock-openapi'
  | 'trpc-adapter';

/** Starts the server of a peer on a database. */
export function startPeer(
  name: PeerName,
  database: string,
  { env = {}, ...options }: Omit<PlacedProgramOptions, 'file'> = {},
): Promise<Server> {
  // The built file, whether this one runs from src or from dist.
  const file = fileURLToPath(new URL(`../../dist/peers/${name}.js`, import.meta.url));
  return startServer({ ...options, file, env: { DATABASE: database, ...env } });
}
