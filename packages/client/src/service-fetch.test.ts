import { once } from 'node:events';
import { rejectionOf } from '@guild-settings/testing';
import { GUILD, sendGuild, sendProblem, startServer } from '@guild-settings/testing/client';
import { describe, expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { DeadlineError } from './fetch.ts';
import { hasProblem } from './problem-of.ts';
import { withRequest } from './request-context.ts';
import type { TokenSource } from './token-source.ts';

const guild = GUILD.id;
const token = 'a-token-that-is-good-enough';

/** Creates a source that returns `first`, and `second` after `first` was invalidated. */
function twoTokens(): TokenSource & { readonly refused: string[] } {
  const refused: string[] = [];
  return {
    refused,
    get: async () => (refused.includes('first') ? 'second' : 'first'),
    invalidate: (token) => refused.push(token),
  };
}

const onlySecond = () =>
  startServer((request, response) =>
    request.headers.authorization === 'Bearer second'
      ? sendGuild(request, response)
      : sendProblem(request, response, 'invalid-token'),
  );

describe('a request with a refused token', () => {
  test('is sent once more with a fresh token, a change too', async () => {
    await using server = await onlySecond();
    const token = twoTokens();
    const client = createGuildSettingsClient({ url: server.url, token });
    expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toStrictEqual(GUILD);
    expect(token.refused).toStrictEqual(['first']);
    expect(server.requests.map(({ headers }) => headers.authorization)).toStrictEqual([
      'Bearer first',
      'Bearer second',
    ]);
  });

  test('is sent twice at most', async () => {
    await using server = await startServer((request, response) => sendProblem(request, response, 'invalid-token'));
    const client = createGuildSettingsClient({ url: server.url, token: twoTokens() });
    expect(hasProblem(await rejectionOf(client.guilds.get.query({ guild })), 'invalid-token')).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  test('is not sent again with the same token', async () => {
    await using server = await onlySecond();
    const client = createGuildSettingsClient({ url: server.url, token: 'first' });
    expect(hasProblem(await rejectionOf(client.guilds.get.query({ guild })), 'invalid-token')).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  test('does not cost the token when a proxy responded 401', async () => {
    await using server = await startServer((_request, response) => response.writeHead(401).end('{}'));
    const token = twoTokens();
    await rejectionOf(createGuildSettingsClient({ url: server.url, token }).guilds.get.query({ guild }));
    expect(token.refused).toStrictEqual([]);
  });
});

describe('a call', () => {
  test.each<[string, Parameters<typeof startServer>[0]]>([
    ['that is not answered', () => {}],
    ['whose body does not end', (_request, response) => void response.writeHead(200).write('[{"result":')],
  ])('whose attempt is one %s fails in time', async (_name, answer) => {
    await using server = await startServer(answer);
    const client = createGuildSettingsClient({ url: server.url, token, timeoutMs: 50, retries: 0 });
    const expected = { message: 'No response within 50 ms', cause: expect.any(DeadlineError) };
    expect(await rejectionOf(client.guilds.get.query({ guild }))).toMatchObject(expected);
  });

  test('has a deadline for each attempt', async () => {
    await using server = await startServer((request, response, nth) => {
      if (nth === 1) sendGuild(request, response);
    });
    const client = createGuildSettingsClient({ url: server.url, token, timeoutMs: 1_000, retries: 1 });
    expect(await client.guilds.get.query({ guild })).toStrictEqual(GUILD);
  });

  test('fails in time when the token source does not respond', async () => {
    const tokens = { get: () => new Promise<string>(() => {}), invalidate: () => {} };
    const client = createGuildSettingsClient({ url: 'http://127.0.0.1:1', token: tokens, timeoutMs: 50, retries: 0 });
    const { cause } = (await rejectionOf(client.guilds.get.query({ guild }))) as Error;
    expect(cause).toBeInstanceOf(DeadlineError);
  });

  test('ends at once when its caller aborts it', async () => {
    const abort = new AbortController();
    await using server = await startServer(() => abort.abort(new Error('enough')));
    const client = createGuildSettingsClient({ url: server.url, token });
    await expect(client.guilds.get.query({ guild }, { signal: abort.signal })).rejects.toThrow('enough');
    await expect(client.guilds.get.query({ guild }, { signal: abort.signal })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });

  test('of a batch ends when it is aborted, while the others go on', async () => {
    const abort = new AbortController();
    const freed = new EventTarget();
    await using server = await startServer((request, response) => {
      freed.addEventListener('free', () => sendGuild(request, response));
      abort.abort(new Error('enough'));
    });
    const client = createGuildSettingsClient({ url: server.url, token });
    const aborted = client.guilds.get.query({ guild }, { signal: abort.signal });
    const other = client.guilds.get.query({ guild });
    await expect(aborted).rejects.toThrow('enough');
    freed.dispatchEvent(new Event('free'));
    expect(await other).toStrictEqual(GUILD);
  });

  test('that waits for a retry ends when the caller aborts', async () => {
    const abort = new AbortController();
    await using server = await startServer((request, response) => {
      sendProblem(request, response, 'rate-limited', { retryAfter: 9 });
      response.once('finish', () => setImmediate(() => abort.abort(new Error('enough'))));
    });
    const client = createGuildSettingsClient({ url: server.url, token });
    const call = client.guilds.get.query({ guild }, withRequest({ signal: abort.signal }));
    await Promise.all([once(abort.signal, 'abort'), expect(call).rejects.toThrow('enough')]);
    expect(server.requests).toHaveLength(1);
  });
});
