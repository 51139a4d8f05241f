import { once } from 'node:events';
import { waitUntil } from '@guild-settings/testing';
import { problemIn, revisionTagIn, startApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo, exchange, halfClosedExchange } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import { afterAll, describe, expect } from 'vitest';

const PATCH = `PATCH /guilds/${IDS.guild} HTTP/1.1\r\nHost: x\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`;

/** For the cases that change nothing. */
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());
afterAll(() => expect(readChanges(api)).toEqual([]));

describe('what is no well-formed HTTP', () => {
  test.each([
    ['an unreadable request line', 'NONSENSE\r\n\r\n', 400],
    ['headers larger than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['two different lengths', `${PATCH}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    ['both a length and chunks', `${PATCH}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a missing Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s is answered with a problem document', async (_name, text, status) => {
    const answer = await exchange(api.url, text);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(await problemIn(answer)).toMatchObject({ status });
  });
});

describe('an unknown expectation', () => {
  test('does not refuse a request', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n';
    expect((await exchange(api.url, request)).status).toBe(200);
  });
});

describe('a connection that is kept alive', () => {
  test('ends the streams that wait for others on it, when it is closed', async () => {
    const stream = (token: string) => `GET /guilds/${IDS.guild}/events HTTP/1.1\r\nHost: x\r\n${bearer(token)}\r\n`;
    const watchers = async () =>
      / (\d+)$/.exec(/^feed_watchers.*$/m.exec(await (await api.send('/metrics')).text())?.[0] ?? '')?.[1];
    const before = await watchers();
    const socket = await connectTo(api.url);
    // The first one has its turn for as long as it is open.
    socket.write(stream(api.tokens.manager) + stream(api.tokens.owner).repeat(3));
    await waitUntil(async () => (await watchers()) === String(Number(before) + 4));
    socket.destroy();
    await waitUntil(async () => (await watchers()) === before);
    const again = await connectTo(api.url);
    again.write(stream(api.tokens.owner));
    const [first] = (await once(again, 'data')) as [Buffer];
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
    again.destroy();
  });

  test('is ended behind an answer that did not wait for the whole body', async () => {
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    for (const [credentials, status] of [
      ['', 401],
      [bearer(api.tokens.plain), 403],
    ] as const) {
      const request = `${PATCH}Transfer-Encoding: chunked\r\n${credentials}\r\n${chunk.repeat(50)}`;
      const answer = await exchange(api.url, request);
      expect([answer.status, answer.headers.get('connection')]).toEqual([status, 'close']);
    }
  });

  test('goes on behind a refused body that came in whole', async () => {
    const socket = await connectTo(api.url);
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(`${PATCH}Content-Length: 2\r\n\r\n{}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
  });
});

test('malformed bytes behind a watch end its stream, and no response is written into it', async () => {
  const socket = await connectTo(api.url);
  let text = '';
  socket.setEncoding('utf8').on('data', (data) => {
    text += data;
  });
  socket.write(`GET /trpc/guilds.watch HTTP/1.1\r\nHost: x\r\n${bearer(api.tokens.application)}\r\n`);
  await waitUntil(() => text.includes('"type":"live"'));
  socket.write('NONSENSE\r\n\r\n');
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

describe('a client that closes its half of the connection', () => {
  test('receives the response to a change', async ({ api }) => {
    const body = '{"prefix":"?"}';
    const request = `${PATCH}${bearer(api.tokens.manager)}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`;
    const response = await halfClosedExchange(api.url, request);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ prefix: '?' });
  });

  test('ends its stream at once', async () => {
    const socket = await connectTo(api.url);
    socket.write(`GET /trpc/guilds.watch HTTP/1.1\r\nHost: x\r\n${bearer(api.tokens.application)}\r\n`);
    await once(socket, 'data');
    socket.resume().end();
    await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
  });
});

describe('a slow client', () => {
  test('that never finishes its body is answered with 408, and nothing is changed', async () => {
    await using api = await startApi({}, { timeouts: { headers: 200, request: 400 } });
    const request = `${PATCH}${bearer(api.tokens.manager)}${JSON_TYPE}Content-Length: 50\r\n\r\n{"prefix":"?"`;
    expect((await exchange(api.url, request)).status).toBe(408);
    expect(revisionTagIn(await api.get(IDS.guild))).toBe('"0"');
  });

  test('that disconnects within its body changes nothing, and other requests are served', async () => {
    const socket = await connectTo(api.url);
    socket.write(`${PATCH}${bearer(api.tokens.manager)}${JSON_TYPE}Content-Length: 50\r\n\r\n{"prefix":"?"}`);
    await api.get(IDS.guild);
    socket.destroy();
    expect(revisionTagIn(await api.get(IDS.guild))).toBe('"0"');
    expect(api.log()).not.toContain('"level":50');
  });
});
