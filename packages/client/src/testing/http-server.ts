import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpServer, serveHttp } from '@guild-settings/testing';

/** A received request with its whole body. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps what it has received. */
export interface TestServer extends HttpServer {
  readonly requests: readonly Arrived[];
}

/** Starts a server that calls `answer` for each request; `nth` counts them from 0. */
export async function startServer(
  answer: (request: Arrived, response: ServerResponse, nth: number) => void,
  port = 0,
): Promise<TestServer> {
  const requests: Arrived[] = [];
  const server = await serveHttp(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    requests.push(request);
    answer(request, response, requests.length - 1);
  }, port);
  return { ...server, requests };
}

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Serves event streams: to each connection, the next one of `answers`. */
export async function serve(...answers: ((response: ServerResponse) => void)[]) {
  const inputs: unknown[] = [];
  const tokens: unknown[] = [];
  const server = await serveHttp(({ url = '', headers }, response) => {
    inputs.push(JSON.parse(new URL(url, 'http://localhost').searchParams.get('input') ?? 'null'));
    tokens.push(headers.authorization);
    const answer = answers.shift() ?? ((last) => last.destroy());
    answer(response);
  });
  return { ...server, inputs, tokens };
}

/** Begins an event stream. */
export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: connected\ndata: {}\n\n');
  return response;
}
