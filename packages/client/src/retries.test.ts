import { rejectionOf } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { hasProblem, problemOf } from './problem-of.ts';
import { type Arrived, startServer, type TestServer } from './testing/http-server.ts';
import { GUILD, sendGuild, sendProblem } from './testing/service.ts';
import { NetworkError, UnexpectedResponseError } from './transport-errors.ts';

const guild = GUILD.id;
const token = 'a-token-that-is-good-enough';

function callsTo({ url }: TestServer) {
  const client = createGuildSettingsClient({ url, token });
  return {
    read: () => client.guilds.get.query({ guild }),
    change: () => client.guilds.update.mutate({ guild, prefix: '?' }),
  };
}

/** Fails the first request in this way, and responds to the others. */
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

  test.each([429, 502, 503, 504])("after a proxy's error page with status %d", async (status) => {
    await using server = await failingOnce((_request, response) => response.writeHead(status).end('<h1>Oops</h1>'));
    expect(await callsTo(server).read()).toStrictEqual(GUILD);
  });

  test("after a proxy's JSON with status 503", async () => {
    await using server = await failingOnce((_request, response) => response.writeHead(503).end('{"oops":true}'));
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
});

describe('a change is not tried again', () => {
  test('after the connection broke: it may have been carried out', async () => {
    await using server = await failingOnce((_request, response) => response.destroy());
    const error = await rejectionOf(callsTo(server).change());
    expect((error as Error).cause).toMatchObject({ name: 'NetworkError', maybeSent: true });
    expect(server.requests).toHaveLength(1);
  });

  test('after an answer that breaks off', async () => {
    await using server = await failingOnce((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('[{"result":', () => response.destroy());
    });
    const error = await rejectionOf(callsTo(server).change());
    expect((error as Error).cause).toMatchObject({ name: 'NetworkError', maybeSent: true });
    expect(server.requests).toHaveLength(1);
  });

  test("after a proxy's error page, even with status 503", async () => {
    await using server = await failingOnce((_request, response) => response.writeHead(503).end('<h1>Oops</h1>'));
    const error = await rejectionOf(callsTo(server).change());
    expect((error as Error).cause).toBeInstanceOf(UnexpectedResponseError);
    expect(server.requests).toHaveLength(1);
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
  const note = (answer: typeof sendGuild) => (request: Arrived, response: Parameters<typeof sendGuild>[1]) => {
    arrivals.push(performance.now());
    answer(request, response);
  };
  const limited = note((request, response) => sendProblem(request, response, 'rate-limited', { retryAfter: 1 }));
  await using server = await startServer((request, response, nth) =>
    nth === 0 ? limited(request, response) : note(sendGuild)(request, response),
  );
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
