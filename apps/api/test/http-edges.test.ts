import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';

describe('what is no well-formed HTTP', () => {
  test.each([
    ['an unreadable request line', 'NONSENSE\r\n\r\n', 400],
    ['headers larger than 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['two different lengths', 'PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'both a length and chunks',
      'PATCH / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('%s is answered with a problem document', async (_name, text, status) => {
    await using api = await startApi();
    const answer = await exchange(api, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('content-type: application/problem+json');
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status });
  });
});

describe('an HTTP/1.1 request', () => {
  test('without a Host is refused with a problem document', async () => {
    await using api = await startApi();
    const answer = await exchange(api, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('application/problem+json');
  });

  test('with an unknown expectation is answered like any other', async () => {
    await using api = await startApi();
    const answer = await exchange(
      api,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('x-request-id');
  });
});

describe('a connection that is kept alive', () => {
  test('is ended behind an answer that did not wait for the whole body', async () => {
    await using api = await startApi();
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    const head = `PATCH /guilds/${IDS.guild} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n`;
    for (const authorization of ['', `Authorization: Bearer ${api.tokens.plain}\r\n`]) {
      const answer = await exchange(api, `${head}${authorization}\r\n${chunk.repeat(50)}`);
      expect(answer).toMatch(/^HTTP\/1\.1 40[13] /);
      expect(answer).toMatch(/connection: close/i);
    }
  });

  test('goes on behind a refused body that came in whole', async () => {
    await using api = await startApi();
    const refused = `PATCH /guilds/${IDS.guild} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
    const answer = await exchange(api, `${refused}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /);
  });
});

describe('a slow client', () => {
  const hurried = { timeouts: { headers: 200, request: 400 } };

  test('that never finishes its headers is answered with 408', async () => {
    await using api = await startApi({}, hurried);
    expect(await exchange(api, 'GET / HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('that never finishes its body is answered with 408, and nothing is changed', async () => {
    await using api = await startApi({}, hurried);
    const head = `PATCH /guilds/${IDS.guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n`;
    const answer = await exchange(
      api,
      `${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"prefix":"?"`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await api.get(IDS.guild)).headers.get('etag')).toBe('"0"');
  });

  test('that goes away in mid-body changes nothing, and harms nobody', async () => {
    await using api = await startApi();
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    const head = `PATCH /guilds/${IDS.guild} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tokens.manager}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"prefix":"?"}`);
    await api.get(IDS.guild);
    socket.destroy();
    expect((await api.get(IDS.guild)).headers.get('etag')).toBe('"0"');
    expect(api.log()).not.toContain('"level":50');
  });
});

/** Writes text to a connection and gives all that comes back until it is closed. */
async function exchange(api: TestApi, text: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return answer;
}
