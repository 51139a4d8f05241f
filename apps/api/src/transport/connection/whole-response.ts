import { type Server, type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';

/** A response that is written to a connection in one piece. */
export interface WholeResponse {
  readonly status: number;
  /** Its headers but for `Date`, as {@link headerLines} returns them. */
  readonly headers: string;
  /** Empty for a status that has none. */
  readonly body: string;
}

/** Returns headers as they are sent. @throws TypeError for what a header cannot have */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return `${name}: ${value}\r\n`;
  });
  return lines.join('');
}

/** Returns the headers by which Node says that a connection stays open. */
export function keepAliveHeaders({ keepAliveTimeout }: Server): Record<string, string> {
  return { Connection: 'keep-alive', 'Keep-Alive': `timeout=${Math.floor(keepAliveTimeout / 1_000)}` };
}

/**
 * Returns the connection that {@link writeWhole} can write to in this turn of the event loop; undefined: Node has to send the
 * response, because the connection ends with it or has ended, or because the client has sent several requests at once and has not
 * received the response to an earlier one.
 */
export function writableConnection(response: ServerResponse): Socket | undefined {
  const { socket, shouldKeepAlive } = response;
  if (socket === null || socket.destroyed || !shouldKeepAlive) return undefined;
  // What follows the request is not readable: `answerClientError` has the connection closed.
  return response.hasHeader('connection') ? undefined : socket;
}

/** Returns a response as it is sent. */
export function textOf({ status, headers, body }: WholeResponse): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}Date: ${httpDate()}\r\n\r\n${body}`;
}

/** The responses that the system had no room for. Node does not know that they have begun. */
const waiting = new WeakSet<ServerResponse>();

/** Returns whether a part of a response was written, by Node or by {@link writeWhole}. */
export function hasBegun(response: ServerResponse): boolean {
  return response.headersSent || waiting.has(response);
}

/**
 * Writes a response after which the connection stays open. `ServerResponse` takes a tenth of the CPU time of a GET for it: it
 * checks and joins the headers one by one, and hands the head, the body and the end to the connection separately.
 * @param onEnd called when the response was handed to the system, or its connection was lost
 */
export function writeWhole(
  response: ServerResponse,
  connection: Socket,
  whole: WholeResponse,
  onEnd: () => void,
): void {
  connection.write(textOf(whole), 'utf8', () => {
    // Node goes on with the next request of the connection: lib/_http_server.js, `resOnFinish`.
    response.emit('finish');
    onEnd();
  });
  if (connection.writableLength > 0) waiting.add(response);
}

let second = 0;
let date = '';

/** Returns the present time as the value of `Date`. @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7 */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1_000).toUTCString();
  }
  return date;
}
