import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { HttpTask } from './http-load.ts';
import { startTask } from './processes.ts';

const LOAD = { guilds: { first: 0, count: 3 }, connections: 2 } as const;

test('counts each response, and requests the guilds of the load alone', async () => {
  let responses = 0;
  const paths: string[] = [];
  await using server = await startServer((url) => {
    responses += 1;
    paths.push(url);
    return 200;
  });
  await using task = startTask<HttpTask>('http-load');
  const { requests } = await task.run('send', {
    seconds: 0.1,
    loads: [
      { ...LOAD, kind: 'read', origin: server.origin },
      { ...LOAD, kind: 'change', origin: server.origin, pauseMs: 10 },
    ],
  });
  expect(requests).toBe(responses);
  const ofLoad = ['/guilds/300000000000000000', '/guilds/300000000004194304', '/guilds/300000000008388608'];
  expect(paths.filter((path) => !ofLoad.includes(path))).toEqual([]);
});

test('any other status ends the load', async () => {
  await using server = await startServer(() => 500);
  await using task = startTask<HttpTask>('http-load');
  const job = task.run('send', { seconds: 0.1, loads: [{ ...LOAD, kind: 'read', origin: server.origin }] });
  await expect(job).rejects.toThrow(`Expected 200 of ${server.origin}, received 500`);
});

async function startServer(statusOf: (url: string) => number) {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(statusOf(url)).end('{}');
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
