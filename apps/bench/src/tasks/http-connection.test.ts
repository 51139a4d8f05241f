import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openConnection } from './http-connection.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody';

test.each([
  ['in one part', [OK], 200],
  ['in the middle of its head', ['HTTP/1.1 200 OK\r\nConte', 'nt-Length: 4\r\n\r\nbody'], 200],
  ['in the middle of its body', ['HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\nbo', 'dy'], 404],
])('a response that arrives %s', async (_, parts, status) => {
  await using server = await startServer(parts);
  using connection = await openConnection(server.origin, () => {});
  // The second one shows that the connection knows where the first one ended.
  expect([await statusOf(connection), await statusOf(connection)]).toEqual([status, status]);
});

test.each([
  ['has no length', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n']],
  ['is followed by another one', [OK + OK]],
])('a response that %s is a failure', async (_, parts) => {
  await using server = await startServer(parts);
  const failure = new Promise<Error>((resolve) => {
    void openConnection(server.origin, resolve).then(statusOf);
  });
  expect(String(await failure)).toContain('Expected one response with a length');
});

test('a connection that the server closes is a failure', async () => {
  await using server = await startServer([]);
  const failure = new Promise<Error>((resolve) => {
    void openConnection(server.origin, resolve).then(statusOf);
  });
  expect(String(await failure)).toContain('closed a connection');
});

function statusOf(connection: Awaited<ReturnType<typeof openConnection>>): Promise<number> {
  return new Promise((resolve) => connection.send('GET / HTTP/1.1\r\n\r\n', resolve));
}

/** Starts a server that sends these parts of a response for each request, one after another; none: it closes the connection. */
async function startServer(parts: readonly string[]) {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('data', async () => {
        if (parts.length === 0) socket.destroy();
        for (const part of parts) {
          socket.write(part);
          // So that the parts arrive one by one.
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
