import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReplicaStatus } from '@guild-settings/replica';
import type { BotMetrics } from './bot-metrics.ts';

export interface BotHealth {
  readonly isConnected: boolean;
  readonly isStopping: boolean;
  /** The state of the application's token: `ok`, or `failing` with the reason. */
  readonly token: string;
  readonly replica: ReplicaStatus & { readonly revision: number };
}

interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  readonly health: () => BotHealth;
  readonly metrics: BotMetrics;
  readonly onError?: (error: unknown) => void;
}

/** Server of /healthz (the process runs), /readyz (it handles commands) and /metrics. */
export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the server. Rejects with code EADDRINUSE when the port is in use. */
export async function startHealthServer({
  host,
  port,
  health,
  metrics,
  onError,
}: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    respond(request, response, { health, metrics }).catch((error: unknown) => {
      response.writeHead(500).end();
      onError?.(error);
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, close: () => close(server) };
}

async function respond(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  { health, metrics }: Pick<HealthServerOptions, 'health' | 'metrics'>,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  switch (url.split('?', 1)[0]) {
    case '/healthz':
      return json(response, 200, { status: 'ok' });
    case '/readyz': {
      const { isConnected, isStopping, token, replica } = health();
      const isReady = isConnected && !isStopping && replica.state !== 'SYNCING';
      return json(response, isReady ? 200 : 503, {
        status: isReady ? 'ok' : 'unavailable',
        checks: {
          gateway: isConnected ? 'ok' : 'failing',
          accepting: isStopping ? 'failing' : 'ok',
          settings: replica.state === 'SYNCING' ? 'failing (none were received yet)' : 'ok',
          token,
        },
        replica,
      });
    }
    case '/metrics': {
      const { contentType, body } = await metrics.render();
      response.writeHead(200, { 'content-type': contentType }).end(body);
      return;
    }
    default:
      return json(response, 404, { message: 'There are /healthz, /readyz and /metrics.' });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}
