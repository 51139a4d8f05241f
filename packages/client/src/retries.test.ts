import type { ServerResponse } from 'node:http';
import { rejectionOf } from '@guild-settings/testing';
import { GUILD, sendGuild, sendProblem, startServer, type TestServer } from '@guild-settings/testing/client';
import { describe, expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { NetworkError } from './fetch.ts';
import { hasProblem, problemOf } from './problem-of.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { retryDelayMs } from './retry-policy.ts';

const guild = GUILD.id;
const token = 'a-token-that-is-good-enough';

function callsTo({ url }: TestServer) {
  const client = createGuildSettingsClient({ url, token });
  return {
    read: () => client.guilds.get.query({ guild }),
    change: () => client.guilds.update.mutate({ guild, prefix: '?' }),
  };
}

function failingOnce(fail: Parameters<typeof startServer>[0]) {
  return startServer((request, response, nth) =>
    nth === 0 ? fail(request, response, nth) : sendGuild(request, response),
  );
}

describe('a read is tried again', () => {
  test.each(['rate-limited', 'discord-unavailable', 'store-unavailable'] as const)('after %s', async (slug) => {
    await using server = await failingOnce((request, response) =>
      sendProblem(request, response, slug, { retryAfter: 0 }),
    );
    expect(await callsTo(server).read()).toStrictEqual(GUILD);
    expect(server.requests).toHaveLength(2);
  });

  test('after the connection broke', async () => {
    await using server = await failingOnce((_request, response) => response.destroy());
    expect(await callsTo(server).read()).toStrictEqual(GUILD);
  });

  test.each([
    [429, '<h1>Oops</h1>'],
    [502, '<h1>Oops</h1>'],
    [504, '<h1>Oops</h1>'],
    [503, '{"oops":true}'],
  ])("after a proxy's error with status %d: %s", async (status, page) => {
    await using server = await failingOnce((_request, response) => response.writeHead(status).end(page));
    expect(await callsTo(server).read()).toStrictEqual(GUILD);
  });

  test('three times and no more', async () => {
    await using server = await startServer((_request, response) => response.destroy());
    const error = await rejectionOf(callsTo(server).read());
    expect((error as Error).cause).toBeInstanceOf(NetworkError);
    expect(server.requests).toHaveLength(4);
  });
});

describe('a change is tried again', () => {
  test.each(['rate-limited', 'discord-unavailable'] as const)(
    'after %s, with which the service rejects a request unprocessed',
    async (slug) => {
      await using server = await failingOnce((request, response) =>
        sendProblem(request, response, slug, { retryAfter: 0 }),
      );
      expect(await callsTo(server).change()).toStrictEqual(GUILD);
      expect(server.requests).toHaveLength(2);
    },
  );

  test('after no connection could be made', async () => {
    const { port, ...stopped } = await startServer(sendGuild);
    await stopped[Symbol.asyncDispose]();
    const started: TestServer[] = [];
    let tries = 0;
    const client = createGuildSettingsClient({
      url: `http://127.0.0.1:${port}`,
      token,
      fetch: async (...request) => {
        tries += 1;
        if (tries === 2) started.push(await startServer(sendGuild, port));
        return fetch(...request);
      },
    });
    expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toStrictEqual(GUILD);
    expect(tries).toBe(2);
    await started[0]?.[Symbol.asyncDispose]();
  });

  test('after its source of tokens was unavailable, which another copy of this package may be', async () => {
    await using server = await startServer(sendGuild);
    class TokenError extends Error {
      override readonly name = 'TokenError';
      readonly fault = 'unavailable';
    }
    let calls = 0;
    const get = async () => {
      calls += 1;
      if (calls === 1) throw new TokenError('Discord is unavailable');
      return token;
    };
    const client = createGuildSettingsClient({ url: server.url, token: { get, invalidate() {} } });
    expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toStrictEqual(GUILD);
    expect([calls, server.requests.length]).toStrictEqual([2, 1]);
  });
});

describe('a change is not tried again', () => {
  test.each<[string, (response: ServerResponse) => void, object]>([
    ['the connection broke', (response) => response.destroy(), { name: 'NetworkError', maybeSent: true }],
    [
      'an answer that breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('[{"result":', () => response.destroy());
      },
      { name: 'NetworkError', maybeSent: true },
    ],
    [
      "a proxy's error page, even with status 503",
      (response) => response.writeHead(503).end('<h1>Oops</h1>'),
      { name: 'UnexpectedResponseError' },
    ],
  ])('after %s: it may have been carried out', async (_name, fail, cause) => {
    await using server = await failingOnce((_request, response) => fail(response));
    expect(await rejectionOf(callsTo(server).change())).toMatchObject({ cause });
    expect(server.requests).toHaveLength(1);
  });

  test('after one address of the host refused the connection, and that to another one broke', async () => {
    const failures = ['ECONNREFUSED', 'ECONNRESET'].map((code) => Object.assign(new Error(code), { code }));
    let tries = 0;
    const client = createGuildSettingsClient({
      url: 'http://127.0.0.1',
      token,
      fetch: async () => {
        tries += 1;
        throw new TypeError('fetch failed', { cause: new AggregateError(failures) });
      },
    });
    const change = client.guilds.update.mutate({ guild, prefix: '?' });
    expect(await rejectionOf(change)).toMatchObject({ cause: { name: 'NetworkError', maybeSent: true } });
    expect(tries).toBe(1);
  });

  test.each(['store-unavailable', 'internal'] as const)('after %s', async (slug) => {
    await using server = await failingOnce((request, response) => sendProblem(request, response, slug));
    expect(hasProblem(await rejectionOf(callsTo(server).change()), slug)).toBe(true);
    expect(server.requests).toHaveLength(1);
  });
});

test.each(['invalid-request', 'not-guild-manager', 'revision-mismatch', 'internal'] as const)(
  'nothing is tried again after %s',
  async (slug) => {
    await using server = await failingOnce((request, response) => sendProblem(request, response, slug));
    expect(hasProblem(await rejectionOf(callsTo(server).read()), slug)).toBe(true);
    expect(server.requests).toHaveLength(1);
  },
);

test('waits for the time that the problem states', async () => {
  const arrivals: number[] = [];
  await using server = await startServer((request, response, nth) => {
    arrivals.push(performance.now());
    if (nth === 0) sendProblem(request, response, 'rate-limited', { retryAfter: 1 });
    else sendGuild(request, response);
  });
  await callsTo(server).change();
  const [first = 0, second = 0] = arrivals;
  expect(second - first).toBeGreaterThanOrEqual(999);
});

test('leaves a long wait to the caller', async () => {
  await using server = await startServer((request, response) =>
    sendProblem(request, response, 'rate-limited', { retryAfter: 60 }),
  );
  const error = await rejectionOf(callsTo(server).read());
  expect(problemOf(error)?.retryAfter).toBe(60);
  expect(server.requests).toHaveLength(1);
});

test('of a batch, only the calls that failed are tried again', async () => {
  await using server = await startServer((request, response, nth) => {
    if (nth > 0) return sendGuild(request, response);
    const problem = { type: '/problems/rate-limited', title: '', status: 429, detail: '', instance: '/', message: '' };
    const data = { code: 'TOO_MANY_REQUESTS', httpStatus: 429, problem: { ...problem, code: '', retryAfter: 0 } };
    const failed = { error: { code: -32029, message: 'slower', data } };
    return response.writeHead(207).end(JSON.stringify([{ result: { data: GUILD } }, failed]));
  });
  const { change } = callsTo(server);
  expect(await Promise.all([change(), change()])).toStrictEqual([GUILD, GUILD]);
  expect(server.requests.map(({ body }) => Object.keys(JSON.parse(body)).length)).toStrictEqual([2, 1]);
});

const longest = () => 1;

test('the delay of a retry is a random part of one that doubles up to two seconds', () => {
  const times = [0, 1, 2, 3, 4, 5, 6].map((attempt) => retryDelayMs(attempt, undefined, longest));
  expect(times).toStrictEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  expect([0, 0.5].map((random) => retryDelayMs(3, undefined, () => random))).toStrictEqual([0, 400]);
});

test('the requested time is waited for, a little longer so that callers do not retry together, and not beyond 10 s', () => {
  expect([retryDelayMs(0, 2, () => 0), retryDelayMs(0, 2, longest)]).toStrictEqual([2_000, 2_100]);
  expect([retryDelayMs(0, 10, () => 0), retryDelayMs(0, 11)]).toStrictEqual([10_000, undefined]);
});

test.each([
  [null, undefined],
  ['3', 3],
  ['0.25', 0.25],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  // The local clock differs from the date of the response by years.
  expect(retryAfterSeconds(header, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(seconds);
});
