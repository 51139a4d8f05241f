import type { ServerResponse } from 'node:http';
import { startServer } from './http-server.ts';

/** Starts an HTTP server that sends event streams: to each connection, the next one of `answers`. */
export async function serve(...answers: ((response: ServerResponse) => void)[]) {
  const {
    url,
    requests,
    [Symbol.asyncDispose]: dispose,
  } = await startServer((_request, response) => {
    const answer = answers.shift() ?? ((last) => last.destroy());
    answer(response);
  });
  return {
    url,
    get inputs(): unknown[] {
      return requests.map((one) => JSON.parse(new URL(one.url, url).searchParams.get('input') ?? 'null'));
    },
    get tokens() {
      return requests.map(({ headers }) => headers.authorization);
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Begins an event stream. */
export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: connected\ndata: {}\n\n');
  return response;
}
