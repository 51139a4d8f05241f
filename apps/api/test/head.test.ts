import { once } from 'node:events';
import { startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo, rawExchange } from '@guild-settings/testing/raw-http';
import { afterAll, describe, expect, test } from 'vitest';

const { guild } = IDS;
const QUERY = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild }))}`;
const LONG = `X-Long: ${'x'.repeat(20_000)}\r\n`;

const api = await startApi();
const hurried = await startApi({}, { timeouts: { headers: 300, request: 400 } });
afterAll(() => Promise.all([api, hurried].map((each) => each[Symbol.asyncDispose]())));

/** A complete HEAD request, after whose response the service closes the connection. */
const head = (path: string, headers = '') => `HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
const bearer = (token: string) => `Authorization: Bearer ${token}\r\n`;

/** Checks that a response is complete and has no body. */
async function expectNoBody(request: string, status: number, { url } = api): Promise<void> {
  const answer = await rawExchange(url, request);
  expect(answer.head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.head).toMatch(/\r\nx-request-id: /i);
  expect(answer.body).toBe('');
}

describe('the response to HEAD has no body', () => {
  test.each([
    ['a record without credentials', `/guilds/${guild}`, 401],
    ['an unknown path', '/nowhere', 404],
    ['a parameter that is empty', '/guilds/', 404],
    ['a problem that there is not', '/problems/nothing', 404],
    ['an address that cannot be decoded', '/guilds/%zz', 400],
    ['health', '/healthz', 200],
    ['readiness', '/readyz', 200],
    ['metrics', '/metrics', 200],
    ['the document', '/openapi.json', 200],
    ['a redirect', '/', 302],
    ['a page', '/docs', 200],
    ['a large script', '/docs/js/scalar.js', 200],
    ['the page of a problem', '/problems/internal', 200],
    ['a query over tRPC', QUERY, 401],
    ['a mutation over tRPC', '/trpc/guilds.update', 405],
    ['the event stream', '/trpc/guilds.watch', 200],
    ['an unknown procedure', '/trpc/nothing', 404],
  ])('%s: %s', async (_name, path, status) => {
    await expectNoBody(head(path), status);
  });

  test('its length is that of the response to GET', async () => {
    for (const path of [`/guilds/${guild}`, '/healthz', '/openapi.json', '/docs', '/problems/internal']) {
      const get = await api.send(path, { token: api.tokens.manager });
      for (const headers of [{}, { 'if-none-match': '"0"' }]) {
        const answer = await api.send(path, { token: api.tokens.manager, method: 'HEAD', headers });
        expect(answer.headers.get('content-length'), path).toBe(get.headers.get('content-length'));
      }
    }
  });

  test('a record, whether it is sent, known to the client, changed since, or forbidden', async () => {
    const path = `/guilds/${guild}`;
    const credentials = bearer(api.tokens.manager);
    for (const each of [path, QUERY]) await expectNoBody(head(each, credentials), 200);
    await expectNoBody(head(path, `${credentials}If-None-Match: "0"\r\n`), 304);
    await expectNoBody(head(path, `${credentials}If-Match: "7"\r\n`), 412);
    await expectNoBody(head(path, bearer(api.tokens.stranger)), 403);
  });

  test.each([
    ['headers larger than 16 KiB', head('/healthz', LONG), 431],
    ['a malformed header', head('/healthz', 'broken header\r\n'), 400],
    ['two lengths', head('/healthz', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400],
    ['another protocol', 'HEAD /healthz HTTP/9.9\r\n\r\n', 400],
    ['a missing Host', 'HEAD /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['empty lines before a malformed request', '\r\n\r\nHEAD /healthz HTTP/1.1\r\nbroken header\r\n\r\n', 400],
  ])('a request that cannot be read: %s', async (_name, request, status) => {
    await expectNoBody(request, status);
  });

  test('a request that arrives too slowly', async () => {
    await expectNoBody('HEAD /healthz HTTP/1.1\r\nHost: x\r\n', 408, hurried);
  });

  test('a malformed request behind one that is being served: it ends the connection after that response', async () => {
    const { head: lines, body } = await rawExchange(
      api.url,
      `GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n${head('/', 'broken header\r\n')}`,
    );
    expect(lines).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close/i);
    expect(JSON.parse(body)).toMatchObject({ status: 'ok' });
  });

  test('also if the request line arrived long before the error', async () => {
    const request = head('/healthz', LONG);
    const answer = await inParts(request.slice(0, 9_000), request.slice(9_000));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });

  test('but that of another method has a problem document', async () => {
    const { head: lines, body } = await rawExchange(api.url, head('/healthz', LONG).replace('HEAD', 'GET'));
    expect(lines).toContain('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ type: '/problems/headers-too-large', status: 431 });
  });
});

/** Writes a request in two parts, the second of which arrives after the first was parsed. */
async function inParts(first: string, second: string): Promise<string> {
  const socket = await connectTo(api.url);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.setNoDelay(true).write(first);
  // A whole exchange on another connection: the service has read the first part before it.
  await fetch(`${api.url}/healthz`);
  socket.write(second);
  await once(socket, 'close');
  return text;
}
