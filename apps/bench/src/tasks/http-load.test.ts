import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { HttpJob, LoadReport } from './http-load.ts';
import { startTask } from './task.ts';

const REQUESTS = { guilds: { first: 0, count: 3 }, connections: 1 } as const;

test('counts each response, and the time of a request from when it was due', async () => {
  const seen = new Map<string, number>();
  const responseMs = 5;
  await using server = await startServer((method, url) => {
    seen.set(method, (seen.get(method) ?? 0) + 1);
    return { status: /^\/guilds\/300000000\d{9}$/.test(url) ? 200 : 404, afterMs: responseMs };
  });
  await using task = startTask<HttpJob, LoadReport[]>('http-load');
  const [reads, changes] = await task({
    seconds: 0.1,
    loads: [
      { ...REQUESTS, kind: 'read', origin: server.origin, connections: 2 },
      { ...REQUESTS, kind: 'change', origin: server.origin, perSecond: 1_000 },
    ],
  });
  expect([reads?.requests, changes?.requests]).toEqual([seen.get('GET'), seen.get('PATCH')]);
  // The connection is busy for 5 ms with each of the hundred requests that are due within 100 ms; timers may be 1 ms early.
  expect(changes?.maxMs).toBeGreaterThan((changes?.requests ?? 0) * (responseMs - 1) - 100);
  expect(changes?.medianMs).toBeLessThan(changes?.p99Ms ?? 0);
});

test('any other status ends the load', async () => {
  await using server = await startServer(() => ({ status: 500, afterMs: 0 }));
  await using task = startTask<HttpJob, LoadReport[]>('http-load');
  const job = task({ seconds: 0.1, loads: [{ ...REQUESTS, kind: 'read', origin: server.origin }] });
  await expect(job).rejects.toThrow(`Expected 200 of ${server.origin}, received 500`);
});

type Respond = (method: string, url: string) => { readonly status: number; readonly afterMs: number };

async function startServer(respond: Respond) {
  const server = createServer(({ method = '', url = '' }, response) => {
    const { status, afterMs } = respond(method, url);
    setTimeout(() => response.writeHead(status, { 'content-length': 2 }).end('{}'), afterMs);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
