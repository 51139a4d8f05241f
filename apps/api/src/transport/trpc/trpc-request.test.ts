import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { initTRPC } from '@trpc/server';
import { resolveResponse } from '@trpc/server/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTrpcRequest } from './trpc-request.ts';

/** The order in which a call is authenticated, its body is read, and its handler runs. */
const order: string[] = [];

const t = initTRPC.create();
const router = t.router({
  read: t.procedure.query(() => 'read'),
  write: t.procedure
    .use(async ({ getRawInput, next }) => {
      order.push('authenticated');
      await getRawInput();
      return next();
    })
    .mutation(({ path }) => {
      order.push('handled');
      return path;
    }),
});

const server = createServer(async (request, response) => {
  const maxBytes = async () => {
    order.push('body read');
    return 64;
  };
  const path = request.url?.slice(1).split('?')[0] ?? '';
  const resolved = await resolveResponse({
    router,
    req: readTrpcRequest(request, response, maxBytes),
    path,
    error: null,
    createContext: async () => ({}),
  });
  response.writeHead(resolved.status, Object.fromEntries(resolved.headers)).end(await resolved.text());
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('a request that tRPC resolves', () => {
  test('is authenticated before its body is read, even before the body arrives', async () => {
    order.length = 0;
    const request = send(`${url}/write`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    const responded = once(request, 'response');
    request.flushHeaders();
    await expect.poll(() => order).toEqual(['authenticated', 'body read']);
    request.end('{}');
    const [response] = await responded;
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(order).toEqual(['authenticated', 'body read', 'handled']);
  });

  test('with another media type than JSON is refused when its input is read', async () => {
    order.length = 0;
    const response = await fetch(`${url}/write`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(response.ok).toBe(false);
    expect(order).toEqual(['authenticated']);
  });

  test('with too long a body is refused', async () => {
    const body = JSON.stringify('x'.repeat(64));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/write`, { method: 'POST', headers, body });
    expect(response.ok).toBe(false);
  });

  test('with the method HEAD has the status of GET', async () => {
    expect((await fetch(`${url}/read`, { method: 'HEAD' })).status).toBe(200);
  });

  test('that accepts a streamed batch gets a plain one', async () => {
    const headers = { accept: 'application/jsonl', 'trpc-accept': 'application/jsonl' };
    const response = await fetch(`${url}/read,read?batch=1`, { headers });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual([{ result: { data: 'read' } }, { result: { data: 'read' } }]);
  });
});
