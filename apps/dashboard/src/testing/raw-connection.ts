import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test writes bytes, for what no HTTP client sends. */
export interface RawConnection extends AsyncDisposable {
  readonly socket: Socket;
  write(text: string): void;
  /** The text that was received so far. */
  text(): string;
  /** Resolves with everything that was received when the server has closed the connection. */
  readonly closed: Promise<string>;
}

/** Connects to a server. Texts are written and read as bytes: one character is one byte. */
export async function connectTo(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  // A reset is one way to close a connection.
  socket.on('error', () => {});
  return {
    socket,
    write: (bytes) => void socket.write(bytes, 'latin1'),
    text: () => text,
    closed: once(socket, 'close').then(() => text),
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

/** Sends one request by its lines, and returns the whole response. */
export async function sendLines(url: string, lines: readonly string[], body = ''): Promise<string> {
  await using connection = await connectTo(url);
  connection.write([...lines, 'host: x', 'connection: close', '', body].join('\r\n'));
  return await connection.closed;
}
