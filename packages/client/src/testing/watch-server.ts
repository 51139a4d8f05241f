import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';

/** Starts an HTTP server that sends event streams: to each connection, the next one of `answers`. */
export async function serve(...answers: ((response: ServerResponse) => void)[]) {
  const inputs: unknown[] = [];
  const tokens: unknown[] = [];
  const server: Server = createServer((request, response) => {
    inputs.push(JSON.parse(new URL(request.url ?? '', 'http://localhost').searchParams.get('input') ?? 'null'));
    tokens.push(request.headers.authorization);
    const answer = answers.shift() ?? ((last) => last.destroy());
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    inputs,
    tokens,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Begins an event stream. */
export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: connected\ndata: {}\n\n');
  return response;
}
