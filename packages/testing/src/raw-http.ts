import { once } from 'node:events';
import { type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { CONTRACT } from './contract-check.ts';

export async function connectTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/**
 * Sends a request and returns the status, with a fraction of the work of `fetch` and of the check against the document.
 */
export function statusOf(url: string, options: RequestOptions, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

/**
 * Writes a request unchanged, well-formed or not, and returns the first response after the connection is closed. The
 * response is checked against the OpenAPI document.
 */
export async function exchange(url: string, request: string): Promise<Response> {
  return checkedAnswer(request, await receivedUntilClosed(url, (socket) => socket.write(request)));
}

/** Writes a request unchanged, and returns all data received until the connection was closed: head and body. */
export async function rawExchange(url: string, request: string): Promise<{ head: string; body: string }> {
  const text = await receivedUntilClosed(url, (socket) => socket.setEncoding('latin1').write(request, 'latin1'));
  const [head, body] = split(text, '\r\n\r\n');
  return { head, body };
}

/** Writes a request, closes the client's half of the connection, and returns the first response, checked. */
export async function halfClosedExchange(url: string, request: string): Promise<Response> {
  return checkedAnswer(request, await receivedUntilClosed(url, (socket) => socket.end(request)));
}

async function receivedUntilClosed(url: string, write: (socket: Socket) => void): Promise<string> {
  const socket = await connectTo(url);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  write(socket);
  await once(socket, 'close');
  return text;
}

/** Waits for data on a connection, and returns it as the checked response to a request that was written to it. */
export async function answerOn(socket: Socket, request: string): Promise<Response> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return checkedAnswer(request, String(chunk));
}

async function checkedAnswer(request: string, text: string): Promise<Response> {
  const [, method = '', path = '/'] = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(request) ?? [];
  const [head = '', body = ''] = split(text, '\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => split(line, ': '));
  const status = Number(statusLine.split(' ')[1]);
  const length = Number(new Headers(headers).get('content-length') ?? body.length);
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304 && length > 0;
  const response = new Response(hasBody ? body.slice(0, length) : null, { status, headers });
  await CONTRACT.response(method, path, response);
  return response;
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
