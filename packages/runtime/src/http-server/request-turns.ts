import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are served at a time. */
const MAX_IN_PROGRESS = 4;

/** The options of a Fastify instance that its server has. */
interface FastifyServerOptions {
  readonly http?: ServerOptions;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly connectionTimeout: number;
}

/** Returns a listener that serves requests before another one, which serves the rest. */
export type Around = (serve: RequestListener) => RequestListener;

/**
 * Returns the `serverFactory` of a Fastify instance. Its server closes connections on which nothing is sent or received for the
 * `connectionTimeout`, and those whose client reads nothing of a response for as long, whatever it sends meanwhile. It bounds how many pipelined requests of a connection are served at a time, and
 * at each turn of the event loop: Node's parser emits all that arrived together, some thousands, before any other connection is read.
 * Requests behind them wait, and nothing more is read of their connection meanwhile.
 * @param around what serves a request before Fastify does
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

/** Looks at each connection for a stall in this many parts of its timeout. */
const LOOKS = 4;

/** A timeout of a socket begins anew with every byte of the client: one that reads nothing could keep a response in memory for good. */
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

/** Returns the response that a connection is about to send. */
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
  /** Requests that were parsed, and wait. While there are some, the connection is not read. */
  #waiting: Exchange[] = [];
  #isScheduled = false;

  constructor(socket: Socket, serve: RequestListener) {
    this.#socket = socket;
    this.#serve = serve;
    // Node reads on when its own buffer of responses is empty.
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

  /** Begins the next requests, in a turn of the event loop in which those of other connections have theirs. */
  readonly #continue = () => {
    this.#isScheduled = false;
    if (this.#socket.destroyed) this.#waiting = [];
    for (const exchange of this.#waiting.splice(0, MAX_IN_PROGRESS - this.#inProgress.size)) this.#begin(exchange);
    if (this.#waiting.length === 0) this.#socket.resume();
  };
}
