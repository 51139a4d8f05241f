import { Readable } from 'node:stream';
import { waitUntil } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';
import { READ, type StubService, sendJson, stubService } from '../src/testing/stub-service.ts';

const stub = stubService(sharedDashboard());

/** Returns the status and the problem of a refusal in tRPC's envelope. */
async function refusalOf(response: Response): Promise<[number, string | undefined]> {
  const { error } = (await response.json()) as { error?: { data: { problem: { type: string } } } };
  return [response.status, error?.data.problem.type];
}

describe('a service that does not respond as it should', () => {
  const ways: [string, StubService['answer']][] = [
    ['closes the connection', (response) => void response.destroy()],
    [
      'breaks off within the body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"result":', () => response.destroy());
      },
    ],
    [
      'sends the page of a proxy',
      (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['sends a coded body', (response) => sendJson(response, 200, { 'content-encoding': 'gzip' })],
  ];
  test.each(ways)('%s: a read is 503, and of a change it is said that it may have been made', async (_, way) => {
    stub.answer = way;
    expect(await refusalOf(await stub.read())).toStrictEqual([503, '/problems/store-unavailable']);
    expect(await refusalOf(await stub.update())).toStrictEqual([503, '/problems/write-unconfirmed']);
  });

  test('a redirect is not followed: no other address receives the token, and nothing was changed', async () => {
    for (const location of ['/moved', `http://localhost:${stub.port}/moved`]) {
      stub.answer = (response) => void response.writeHead(307, { location }).end('moved');
      expect(await refusalOf(await stub.read())).toStrictEqual([503, '/problems/store-unavailable']);
      expect(await refusalOf(await stub.update())).toStrictEqual([503, '/problems/store-unavailable']);
    }
    const once = [`GET ${READ}`, 'POST /trpc/guilds.update'];
    expect(stub.lines()).toStrictEqual([...once, ...once]);
  });
});

describe('a response that is longer than what the server holds', () => {
  const CHUNK = Buffer.alloc(64 * 1_024, ' ');

  /** Responds with a number of chunks; `written` has how many were written, and `closed` whether the connection is. */
  function respondWith(chunks: number): { written: number; closed: boolean } {
    const state = { written: 0, closed: false };
    stub.answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => {
        state.closed = true;
      });
      const body = function* () {
        for (; state.written < chunks; state.written++) yield CHUNK;
      };
      Readable.from(body(), { highWaterMark: 1 }).pipe(response);
    };
    return state;
  }

  test('arrives whole', async () => {
    respondWith(40);
    expect((await (await stub.read()).arrayBuffer()).byteLength).toBe(40 * CHUNK.length);
  });

  test('is stub.received at the speed at which the page reads it, and no longer than it does', async () => {
    const state = respondWith(Number.POSITIVE_INFINITY);
    const response = await stub.read();
    let [last, still] = [-1, 0];
    // The service stops when the buffers of the sockets are full, because nothing is read.
    await waitUntil(
      () => {
        still = state.written === last ? still + 1 : 0;
        last = state.written;
        return still === 20;
      },
      { intervalMs: 10 },
    );
    expect(state.closed).toBe(false);
    await response.body?.cancel();
    await waitUntil(() => state.closed);
  });

  test('ends the connection of the page where the service breaks it off', async () => {
    stub.answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(Buffer.alloc(1_024 * 1_024, ' '), () => response.destroy());
    };
    await expect(stub.read().then((response) => response.text())).rejects.toThrow();
    stub.answer = (response) => sendJson(response, 200);
    expect((await stub.read()).status).toBe(200);
  });
});
