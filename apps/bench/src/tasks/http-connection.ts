import { once } from 'node:events';
import { connect } from 'node:net';

export interface HttpConnection extends Disposable {
  /** Sends the text of a whole request, and calls back with the status of the response after its body. */
  send(request: string, onResponse: (status: number) => void): void;
}

const SILENCE_TIMEOUT_MS = 30_000;

/** Shared by all connections: it is read before the next one receives. */
const RECEIVED = Buffer.allocUnsafe(1 << 16);

const STATUS = { from: 'HTTP/1.1 '.length, to: 'HTTP/1.1 200'.length } as const;
const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;
const HEAD_END = '\r\n\r\n';

/**
 * Opens a connection.
 * @param onFailure called when the connection was lost, is silent, or received anything but a response with a length
 */
export async function openConnection(origin: string, onFailure: (error: Error) => void): Promise<HttpConnection> {
  const { hostname, port } = new URL(origin);
  let onResponse: ((status: number) => void) | undefined;
  let head = '';
  let status = 0;
  let missingBytes = 0;
  const receive = (bytes: number) => {
    if (missingBytes > 0) missingBytes -= bytes;
    else {
      head += RECEIVED.toString('latin1', 0, bytes);
      const end = head.indexOf(HEAD_END);
      if (end === -1) return true;
      status = Number(head.slice(STATUS.from, STATUS.to));
      // NaN without a length.
      missingBytes = Number(LENGTH.exec(head)?.[1]) - (head.length - end - HEAD_END.length);
      head = '';
    }
    if (missingBytes === 0) {
      const callBack = onResponse;
      onResponse = undefined;
      callBack?.(status);
    } else if (!(missingBytes > 0)) socket.destroy(new Error(`Expected one response with a length from ${origin}`));
    return true;
  };
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    timeout: SILENCE_TIMEOUT_MS,
    onread: { buffer: RECEIVED, callback: receive },
  });
  await once(socket, 'connect');
  let isOpen = true;
  socket.on('timeout', () => {
    if (onResponse === undefined) return;
    socket.destroy(new Error(`Received nothing from ${origin} for ${SILENCE_TIMEOUT_MS} ms`));
  });
  socket.on('error', onFailure);
  socket.on('close', () => isOpen && onFailure(new Error(`${origin} closed a connection`)));
  return {
    send(request, callBack) {
      onResponse = callBack;
      socket.write(request, 'latin1');
    },
    [Symbol.dispose]: () => {
      isOpen = false;
      socket.destroy();
    },
  };
}
