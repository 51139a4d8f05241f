import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from './time.ts';

/** A proxy to a server that can be made to fail. It does not parse the forwarded data. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** The URL of the server over HTTP: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The number of chunks that the server has sent, forwarded or not. */
  readonly responses: number;
  /** The number of connections that were cut instead of a response. */
  readonly lostResponses: number;
  /** Delays all data by some milliseconds from now on; 0: no delay. */
  delay(delayMs: number): void;
  cut(): void;
  /** Resets every connection of a client, like a load balancer that has dropped it. */
  reset(): void;
  halfClose(direction: 'to server' | 'to client'): void;
  /** Forwards matching requests, and cuts the connection instead of the response. */
  loseResponses(request?: RequestMatch, options?: LossOptions): void;
  /** Forwards all data again. */
  restore(): void;
}

/** Matches requests by a text in them; any request unless given. */
export interface RequestMatch {
  readonly text?: string;
  /** Only on a connection that has sent this text since the last match. */
  readonly after?: string;
}

export interface LossOptions {
  /** The number of lost responses; 1 unless given. */
  readonly count?: number;
  /** True: all connections are cut and refused after the first lost response. */
  readonly thenRefuse?: boolean;
  /** Sent to the client instead of the response, like a pooler that has lost the server. */
  readonly inPlace?: Uint8Array;
}

interface Loss {
  readonly text: string;
  readonly after: string | undefined;
  readonly thenRefuse: boolean;
  readonly inPlace: Uint8Array | undefined;
  remaining: number;
}

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
}

/** Starts a proxy on a free port of 127.0.0.1 to a port of 127.0.0.1. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const connections = new Set<Connection>();
  let loss: Loss | undefined;
  let isRefusing = false;
  let delayMs = 0;
  let responses = 0;
  let lostResponses = 0;
  const listener = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (isRefusing) return void client.destroy();
    const server = connect({ host: '127.0.0.1', port: targetPort, noDelay: true, allowHalfOpen: true });
    const connection = { client, server };
    connections.add(connection);
    let isLosing = false;
    let hasSentAfter = false;
    const destroy = () => {
      connections.delete(connection);
      client.destroy();
      server.destroy();
    };
    forward(client, server, (chunk) => {
      if (loss === undefined || loss.remaining === 0) return true;
      const { text, after } = loss;
      if (after !== undefined && chunk.includes(after)) hasSentAfter = true;
      if (!chunk.includes(text)) return true;
      isLosing = after === undefined || hasSentAfter;
      hasSentAfter = false;
      if (isLosing) loss.remaining -= 1;
      return true;
    });
    forward(server, client, () => {
      responses += 1;
      if (isLosing) {
        lostResponses += 1;
        if (loss?.thenRefuse) refuse();
        if (loss?.inPlace) client.end(loss.inPlace, destroy);
        else destroy();
      }
      return !isLosing;
    });
    for (const socket of [client, server]) socket.on('error', destroy).on('close', destroy);
  });

  /** Forwards chunks in order, unless `inspect` returns false. */
  function forward(from: Socket, to: Socket, inspect: (chunk: Buffer) => boolean): void {
    let previous = Promise.resolve();
    let pending = 0;
    const send = (act: () => void) => {
      // After delayed chunks, even if the delay has ended meanwhile.
      if (delayMs === 0 && pending === 0) return act();
      pending += 1;
      const wait = delay(delayMs);
      previous = previous
        .then(() => wait)
        .then(() => {
          pending -= 1;
          act();
        });
    };
    from.on('data', (chunk: Buffer) => {
      if (inspect(chunk)) send(() => to.writable && to.write(chunk));
    });
    from.on('end', () => send(() => to.end()));
  }

  const reset = () => {
    for (const { client } of connections) client.resetAndDestroy();
  };
  const cut = () => {
    for (const { client, server } of connections) {
      client.destroy();
      server.destroy();
    }
  };
  const refuse = () => {
    isRefusing = true;
    cut();
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get responses() {
      return responses;
    },
    get lostResponses() {
      return lostResponses;
    },
    delay(milliseconds) {
      delayMs = milliseconds;
    },
    cut,
    reset,
    halfClose(direction) {
      for (const { client, server } of connections) (direction === 'to server' ? server : client).end();
    },
    loseResponses({ text = '', after } = {}, { count = 1, thenRefuse = false, inPlace } = {}) {
      loss = { text, after, thenRefuse, inPlace, remaining: count };
    },
    restore() {
      loss = undefined;
      isRefusing = false;
      delayMs = 0;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      cut();
    },
  };
}

/** A server on 127.0.0.1. It is closed with every connection at the end of its scope. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Serves HTTP on a free port, unless one is given. */
export async function serveHttp(listener: RequestListener = () => {}, onPort = 0): Promise<HttpServer> {
  const server = createHttpServer(listener).listen(onPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Repeats a request while the response is a 503, after its `Retry-After`, like clients do: on a busy machine Discord or
 * the database may respond too late.
 * @returns the first other response
 */
export async function sentUntilAvailable(send: () => Promise<Response>): Promise<Response> {
  let response = await send();
  await waitUntil(
    async () => {
      if (response.status !== 503) return true;
      await response.body?.cancel();
      await delay(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      response = await send();
      return false;
    },
    { message: 'a response that is no 503' },
  );
  return response;
}
