import { once } from 'node:events';
import type { Socket } from 'node:net';
import { waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo } from '@guild-settings/testing/raw-http';
import { describe, expect } from 'vitest';

const path = `/guilds/${IDS.guild}/import?dry_run=true`;
const BODY = JSON.stringify({ version: 1, guild: IDS.guild, settings: { prefix: '?' }, history: 'x'.repeat(100_000) });

describe('imports whose bodies have not arrived to the end', () => {
  test('are at most four of a person, and one of them that ends makes room for another', async ({ api }) => {
    const held = await Promise.all(Array.from({ length: 4 }, () => begin(api, api.tokens.manager)));
    await waitUntil(async () => (await preview(api, api.tokens.manager)).status === 429);
    const refused = await preview(api, api.tokens.manager);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await preview(api, api.tokens.owner)).status).toBe(200);
    for (const import_ of held) expect(await import_.end()).toMatch(/^HTTP\/1\.1 200 /);
    expect((await preview(api, api.tokens.manager)).status).toBe(200);
  });

  test('make room for others when their clients have gone', async ({ api }) => {
    const held = await Promise.all(Array.from({ length: 4 }, () => begin(api, api.tokens.manager)));
    await waitUntil(async () => (await preview(api, api.tokens.manager)).status === 429);
    for (const { socket } of held) socket.resetAndDestroy();
    await waitUntil(async () => (await preview(api, api.tokens.manager)).status === 200);
  });

  test('whose length is not known are read as well', async ({ api }) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(BODY));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${api.tokens.manager}`, 'content-type': 'application/json' };
    const response = await fetch(`${api.url}${path}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(response.status).toBe(200);
  });
});

describe('a document', () => {
  test.each([
    ['fields that no version has', Object.fromEntries(Array.from({ length: 1_900 }, (_, n) => [`f${n}`, [{}, {}]]))],
    ['values', { history: Array.from({ length: 160_000 }, () => 0) }],
  ])('with too many %s is refused before it is parsed', async (_, more) => {
    await using api = await startApi();
    const body = { version: 1, guild: IDS.guild, settings: {}, ...more };
    const response = await api.send(path, { method: 'POST', token: api.tokens.manager, body });
    expect([response.status, await response.json()]).toMatchObject([400, { type: '/problems/invalid-body' }]);
  });
});

/** Sends an import except for its last byte. */
async function begin(api: TestApi, token: string): Promise<{ socket: Socket; end(): Promise<string> }> {
  const socket = await connectTo(api.url);
  const head = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${BODY.slice(0, -1)}`);
  return {
    socket,
    async end() {
      socket.write(BODY.slice(-1));
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return chunk.toString('latin1');
    },
  };
}

function preview(api: TestApi, token: string): Promise<Response> {
  const body = { version: 1, guild: IDS.guild, settings: { prefix: '?' } };
  return api.send(path, { method: 'POST', token, body });
}
