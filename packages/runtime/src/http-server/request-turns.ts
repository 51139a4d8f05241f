import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that are served at a time. */
const MAX_IN_PROGRESS = 4;

/**
 * Bounds how many pipelined requests of a connection are served at a time, and at each turn of the event loop: Node's parser
 * emits all that arrived together, some thousands, before any other connection is read. Those behind them wait, and nothing
 * more is read of their connection meanwhile. Call it when the server has its request listener, and before it listens.
 */
export function takeTurns(server: Server): void {
  const [serve] = server.listeners('request') as RequestListener[];
  if (serve === undefined) throw new Error('Expected a server with a request listener');
  const connections = new WeakMap<Socket, Connection>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = new Connection(socket, serve);
      connections.set(socket, connection);
    }
    connection.receive([request, response]);
  });
}

type Exchange = [request: IncomingMessage, response: ServerResponse];

class Connection {
  readonly #socket: Socket;
  readonly #serve: RequestListener;
  #inProgress = 0;
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
    if (this.#inProgress < MAX_IN_PROGRESS && this.#waiting.length === 0) {
      this.#begin(exchange);
    } else {
      this.#waiting.push(exchange);
      this.#socket.pause();
    }
  }

  #begin([request, response]: Exchange): void {
    this.#inProgress += 1;
    response.once('close', this.#end);
    this.#serve(request, response);
  }

  readonly #end = () => {
    this.#inProgress -= 1;
    if (this.#waiting.length === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#continue);
  };

  /** Begins the next requests, in a turn of the event loop in which those of other connections have theirs. */
  readonly #continue = () => {
    this.#isScheduled = false;
    if (this.#socket.destroyed) this.#waiting = [];
    for (const exchange of this.#waiting.splice(0, MAX_IN_PROGRESS - this.#inProgress)) this.#begin(exchange);
    if (this.#waiting.length === 0) this.#socket.resume();
  };
}
