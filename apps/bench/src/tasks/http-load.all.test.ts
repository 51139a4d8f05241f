import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { HttpJob, LoadReport } from './http-load.ts';
import { startTask } from './task.ts';

const LOAD = { guilds: { first: 0, count: 3 }, connections: 2 } as const;

test('counts each response', async () => {
  const seen = new Map<string, number>();
  await using server = await startServer((method, url) => {
    seen.set(method, (seen.get(method) ?? 0) + 1);
    return /^\/guilds\/300000000\d{9}$/.test(url) ? 200 : 404;
  });
  await using task = startTask<HttpJob, LoadReport[]>('http-load');
  const [reads, changes] = await task({
    seconds: 0.1,
    loads: [
      { ...LOAD, kind: 'read', origin: server.origin },
      { ...LOAD, kind: 'change', origin: server.origin, pauseMs: 10 },
    ],
  });
  expect(reads?.requests).toBe(seen.get('GET'));
  expect(changes?.requests).toBe(seen.get('PATCH'));
});

test('any other status ends the load', async () => {
  await using server = await startServer(() => 500);
  await using task = startTask<HttpJob, LoadReport[]>('http-load');
  const job = task({ seconds: 0.1, loads: [{ ...LOAD, kind: 'read', origin: server.origin }] });
  await expect(job).rejects.toThrow(`Expected 200 of ${server.origin}, received 500`);
});

async function startServer(statusOf: (method: string, url: string) => number) {
  const server = createServer(({ method = '', url = '' }, response) => {
    response.writeHead(statusOf(method, url), { 'content-length': 2 }).end('{}');
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
