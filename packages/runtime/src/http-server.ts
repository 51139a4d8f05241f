import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { isIPv6, type Socket, SocketAddress } from 'node:net';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';

/** Concurrent requests of one connection. */
const MAX_IN_PROGRESS = 4;

interface FastifyServerOptions {
  readonly http?: ServerOptions;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
}

/** Returns a listener that handles requests before another one, to which it passes the rest. */
export type Around = (serve: RequestListener) => RequestListener;

/**
 * Returns the `serverFactory` of a Fastify instance. Its server closes connections on which nothing is sent or received
 * for the `connectionTimeout`, and those whose client reads nothing of a response for as long, whatever it sends
 * meanwhile. It limits the concurrent pipelined requests of a connection, also per turn of the event loop: Node's
 * parser emits all requests that arrived together, up to thousands, before it reads any other connection. Further
 * requests wait, and their connection is not read meanwhile.
 * @param around handles requests before Fastify
 * @see https://fastify.dev/docs/latest/Reference/Server/#serverfactory
 */
export function serverInTurns(around: Around = (serve) => serve) {
  return (serve: RequestListener, options: object): Server => {
    const { http, connectionTimeout, keepAliveTimeout, requestTimeout } = options as FastifyServerOptions;
    const server = createServer({ ...http, keepAliveTimeout, requestTimeout }, inTurns(around(serve)));
    closeStalled(server, connectionTimeout);
    return server.setTimeout(connectionTimeout);
  };
}

/** Number of checks for a stalled connection during its timeout. */
const LOOKS = 4;

/**
 * A socket's timeout restarts with every byte of the client: without this check, a client that reads nothing could keep
 * a response in memory forever.
 */
function closeStalled(server: Server, timeoutMs: number): void {
  const progress = new Map<Socket, { sent: number; atMs: number }>();
  server.on('connection', (socket) => {
    progress.set(socket, { sent: 0, atMs: performance.now() });
    socket.once('close', () => progress.delete(socket));
  });
  const look = () => {
    const nowMs = performance.now();
    for (const [socket, last] of progress) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || sent !== last.sent) Object.assign(last, { sent, atMs: nowMs });
      else if (nowMs - last.atMs >= timeoutMs) socket.destroy();
    }
  };
  const timer = setInterval(look, timeoutMs / LOOKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

export function pendingResponse(socket: Socket): ServerResponse | undefined {
  return connections.get(socket)?.pending();
}

const connections = new WeakMap<Socket, Connection>();

function inTurns(serve: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, serve);
      connections.set(socket, connection);
    }
    connection.receive([request, response]);
  };
}

type Exchange = [request: IncomingMessage, response: ServerResponse];

class Connection {
  readonly #socket: Socket;
  readonly #serve: RequestListener;
  /** In the order of their requests. */
  readonly #inProgress = new Set<ServerResponse>();
  /** Parsed requests that wait. While there are some, the connection is not read. */
  #waiting: Exchange[] = [];
  #isScheduled = false;

  constructor(socket: Socket, serve: RequestListener) {
    this.#socket = socket;
    this.#serve = serve;
    // Node resumes reading when its own response buffer is empty.
    socket.on('resume', () => {
      if (this.#waiting.length > 0) socket.pause();
    });
  }

  receive(exchange: Exchange): void {
    if (this.#inProgress.size < MAX_IN_PROGRESS && this.#waiting.length === 0) {
      this.#begin(exchange);
    } else {
      this.#waiting.push(exchange);
      this.#socket.pause();
    }
  }

  pending(): ServerResponse | undefined {
    const responses = [...this.#inProgress, ...this.#waiting.map(([, response]) => response)];
    return responses.find((response) => !response.writableFinished);
  }

  #begin([request, response]: Exchange): void {
    this.#inProgress.add(response);
    response.once('close', () => this.#end(response));
    this.#serve(request, response);
  }

  #end(response: ServerResponse): void {
    this.#inProgress.delete(response);
    if (this.#waiting.length === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#continue);
  }

  /** Begins the next requests in a turn of the event loop in which other connections also have theirs. */
  readonly #continue = () => {
    this.#isScheduled = false;
    if (this.#socket.destroyed) this.#waiting = [];
    for (const exchange of this.#waiting.splice(0, MAX_IN_PROGRESS - this.#inProgress.size)) this.#begin(exchange);
    if (this.#waiting.length === 0) this.#socket.resume();
  };
}

/** Time that running requests have to finish before their connections are closed. */
const DRAIN_TIMEOUT_MS = 5_000;

/** Interval at which idle connections are closed during shutdown. */
const SWEEP_INTERVAL_MS = 50;

/** A resource that running requests wait for. It is closed together with their connections. */
interface Pending {
  close(): void;
}

/**
 * Makes `app.close()` resolve as soon as the running requests have finished: from then on responses have
 * `Connection: close`, and idle connections are closed instead of being kept alive. Requests that have not finished
 * within the timeout are aborted.
 */
export function drainOnClose(app: FastifyInstance, pending: Pending): { readonly isClosing: () => boolean } {
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const sweepIdle = () => {
    app.server.closeIdleConnections();
    // Node treats a connection that was opened in advance and has sent nothing as busy.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  };
  let sweep: NodeJS.Timeout | undefined;
  let drainTimer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    sweep = setInterval(sweepIdle, SWEEP_INTERVAL_MS);
    drainTimer = setTimeout(() => {
      app.log.warn({ timeoutMs: DRAIN_TIMEOUT_MS }, 'aborting the requests that have not finished');
      pending.close();
      app.server.closeAllConnections();
    }, DRAIN_TIMEOUT_MS);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (sweep !== undefined) reply.header('connection', 'close');
    done();
  });
  app.addHook('onClose', async () => {
    clearInterval(sweep);
    clearTimeout(drainTimer);
    pending.close();
  });
  return { isClosing: () => sweep !== undefined };
}

/**
 * Closes the connection after a response that was sent before the complete body had arrived: the rest of the body would
 * be parsed as the next request.
 */
export function closeAfterUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (!hasBody(raw) || raw.complete) return done();
    // Node first parses the part of the body that arrived together with the headers.
    setImmediate(() => {
      if (!raw.complete) reply.header('connection', 'close');
      done();
    });
  });
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Returns the network that counts as one client: the /64 network of an IPv6 address, or an IPv4 address, even if mapped
 * to IPv6.
 */
export function clientNetwork(clientIp: string): string {
  if (!isIPv6(clientIp)) return clientIp;
  // Node's canonical form: lower case, no leading zeros, the longest run of zeros as "::".
  const canonical = new SocketAddress({ address: clientIp, family: 'ipv6' }).address;
  const mapped = /^::ffff:([\d.]+)$/.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [left = [], right = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}

/**
 * Returns the trusted proxies of the configuration as Fastify's `trustProxy` option. Fastify ignores a plain number,
 * because a client that bypasses the proxy would write the header itself: the nginx of docs/deploy.md prevents that.
 */
export function trustProxyOption(trust: false | number | string) {
  // `hop` counts from 0, the peer of the connection.
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

/**
 * Returns the content coding that a client prefers: identity unless it names another one. Without the header, and with
 * `*`, every coding is acceptable (RFC 9110, section 12.5.3), but many of these clients cannot decode any.
 * @param header the value of Accept-Encoding
 * @param codings available codings besides identity, best first
 */
export function acceptedCoding<Coding extends string>(
  header: string | undefined,
  codings: readonly Coding[],
): Coding | 'identity' {
  // The first one is used for `*`.
  return negotiate(header?.toLowerCase() ?? '', ['identity', ...codings]) ?? 'identity';
}
