import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { waitUntil } from '@guild-settings/testing';
import type { ProcessWorld } from './process-world.ts';

/** A response, read to its end. */
export interface PinnedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface PinnedRequest {
  readonly method?: string;
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with one connection, and so with one process of the service. */
export interface PinnedClient extends Disposable {
  /** The process that serves it. */
  readonly pid: number;
  send(path: string, options?: PinnedRequest): Promise<PinnedResponse>;
}

/** Connects to a service whose log has its requests. */
export async function openPinnedClient(world: Pick<ProcessWorld, 'url' | 'output'>): Promise<PinnedClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, { method = 'GET', token, body, headers = {} }: PinnedRequest = {}) =>
    new Promise<PinnedResponse>((resolve, reject) => {
      const all = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      };
      request(`${world.url}${path}`, { agent, method, headers: all }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
        response.on('error', reject);
      })
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  const { headers } = await send('/healthz');
  const line = new RegExp(`^.*"reqId":"${String(headers['x-request-id'])}".*$`, 'm');
  await waitUntil(() => line.test(world.output()), { message: 'the line of the request in the log' });
  const { pid } = JSON.parse(line.exec(world.output())?.[0] ?? '{}') as { readonly pid: number };
  return { pid, send, [Symbol.dispose]: () => agent.destroy() };
}

/** Connects to each process of a service. */
export async function connectToEach(
  world: Pick<ProcessWorld, 'url' | 'output'>,
  processes: number,
): Promise<readonly PinnedClient[]> {
  const clients = new Map<number, PinnedClient>();
  await waitUntil(
    async () => {
      // The process that was to serve it may have been killed.
      const client = await openPinnedClient(world).catch(() => undefined);
      if (client === undefined) return false;
      if (clients.has(client.pid)) client[Symbol.dispose]();
      else clients.set(client.pid, client);
      return clients.size === processes;
    },
    { message: `connections to ${processes} processes` },
  );
  return [...clients.values()];
}
