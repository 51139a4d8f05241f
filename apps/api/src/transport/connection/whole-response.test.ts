import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectTo } from '../../testing/raw-http.ts';
import { Cors } from '../headers/cors.ts';
import { answerClientError } from '../problems/client-errors.ts';
import { headerLines, keepAliveHeaders, writableConnection, writeWhole } from './whole-response.ts';

/** More than the system keeps for a client that does not read. */
const BODY = 'x'.repeat(32 * 1024 * 1024);

test('a response that its client has not received is received whole, and is the last one, where something unreadable follows', async () => {
  const server = createServer({ keepAliveTimeout: 600_000 }, (_request, response) => {
    const connection = writableConnection(response);
    if (connection === undefined) throw new Error('Expected a connection that can be written to');
    const headers = headerLines({ ...keepAliveHeaders(server), 'content-length': String(BODY.length) });
    writeWhole(response, connection, { status: 200, headers, body: BODY }, () => {});
  });
  const recorded: number[] = [];
  server.on('clientError', (error, socket) =>
    answerClientError(error, socket as Socket, {
      cors: new Cors([]),
      record: ({ status }) => recorded.push(status),
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const socket = await connectTo(`http://127.0.0.1:${port}`);
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  socket.write('NONSENSE\r\n\r\n');
  await once(server, 'clientError');
  const text = (await socket.setEncoding('latin1').toArray()).join('');
  expect(text.endsWith(`\r\n\r\n${BODY}`)).toBe(true);
  expect(text.length - BODY.length).toBeLessThan(500);
  expect(recorded).toEqual([]);
});

test('a header that could not be sent is refused', () => {
  expect(() => headerLines({ 'x-name': 'a\r\nb' })).toThrow(TypeError);
  expect(() => headerLines({ 'x name': 'a' })).toThrow(TypeError);
});
