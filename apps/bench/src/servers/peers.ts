import { fileURLToPath } from 'node:url';
import type { Place } from './program.ts';
import { type Server, startServer } from './server.ts';

export type PeerName =
  | 'bare-fastify'
  | 'empty-event'
  | 'json-lines'
  | 'plain-postgres'
  | 'plain-sqlite'
  | 'stock-openapi'
  | 'trpc-adapter';

/** Starts the server of a peer on a database. */
export function startPeer(name: PeerName, database: string, place: Place = 'server'): Promise<Server> {
  // The built file, whether this one runs from src or from dist.
  const file = fileURLToPath(new URL(`../../dist/peers/${name}.js`, import.meta.url));
  return startServer({ file, place, env: { DATABASE: database } });
}
