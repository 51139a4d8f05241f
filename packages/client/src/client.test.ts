import { getEventListeners } from 'node:events';
import { PROBLEMS } from '@guild-settings/contract';
import { rejectionOf } from '@guild-settings/testing';
import { callsOf, GUILD, isBatch, sendGuild, sendJson, sendProblem, startServer } from '@guild-settings/testing/client';
import { expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { hasProblem, isGuildSettingsError, problemOf, problemSlugOf } from './problem-of.ts';
import { withRequest } from './request-context.ts';

const guild = GUILD.id;
const token = 'a-token-that-is-good-enough';

test('reads and changes a guild with the token it was given', async () => {
  await using server = await startServer(sendGuild);
  const client = createGuildSettingsClient({ url: server.url, token });
  expect(await client.guilds.get.query({ guild })).toStrictEqual(GUILD);
  expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toStrictEqual(GUILD);
  expect(server.requests.map(({ method, headers }) => [method, headers.authorization])).toStrictEqual([
    ['GET', `Bearer ${token}`],
    ['POST', `Bearer ${token}`],
  ]);
});

test.each(['', '/below/'])('adds /trpc to a base URL that ends in "%s"', async (path) => {
  await using server = await startServer((request, response) => {
    sendGuild({ ...request, url: request.url.replace('/below', '') }, response);
  });
  await createGuildSettingsClient({ url: `${server.url}${path}`, token }).guilds.get.query({ guild });
  expect(server.requests[0]?.url).toMatch(path.startsWith('/below') ? /^\/below\/trpc\/guilds/ : /^\/trpc\/guilds/);
});

test('leaves nothing behind on the signal of calls that are over', async () => {
  await using server = await startServer(sendGuild);
  const client = createGuildSettingsClient({ url: server.url, token });
  const { signal } = new AbortController();
  await client.guilds.get.query({ guild }, { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('puts calls of one moment into requests of ten at most', async () => {
  await using server = await startServer(sendGuild);
  const client = createGuildSettingsClient({ url: server.url, token });
  const all = await Promise.all(Array.from({ length: 25 }, () => client.guilds.get.query({ guild })));
  expect(all).toHaveLength(25);
  expect(server.requests.map(({ url }) => callsOf(url).length).sort()).toStrictEqual([10, 10, 5]);
});

test('sends a call with options alone, with its own headers', async () => {
  await using server = await startServer(sendGuild);
  const client = createGuildSettingsClient({ url: server.url, token });
  const options = withRequest({ ifMatch: '"7"', auditReason: 'Für Ölaf: 100 %', onBehalfOf: '53908099506183680' });
  await Promise.all([
    client.guilds.update.mutate({ guild, beta: true }, options),
    client.guilds.update.mutate({ guild, prefix: '?' }),
    client.guilds.update.mutate({ guild, prefix: '!' }),
  ]);
  expect(server.requests).toHaveLength(2);
  const alone = server.requests.find(({ url }) => !isBatch(url));
  expect(alone?.body).toBe(JSON.stringify({ guild, beta: true }));
  expect(alone?.headers).toMatchObject({
    'if-match': '"7"',
    'x-audit-log-reason': 'F%C3%BCr%20%C3%96laf%3A%20100%20%25',
    'x-on-behalf-of': '53908099506183680',
  });
  expect(server.requests.find(({ url }) => isBatch(url))?.headers).not.toHaveProperty('if-match');
});

test('sends concurrent calls with the tokens that they were given, and the others with that of the client', async () => {
  await using server = await startServer(sendGuild);
  const client = createGuildSettingsClient({ url: server.url, token });
  const people = Array.from({ length: 20 }, (_, n) => `token-of-person-${n}`);
  const idOf = (n: number) => `1970384394833100${String(n).padStart(2, '0')}`;
  await Promise.all([
    ...people.map((own, n) => client.guilds.get.query({ guild: idOf(n) }, withRequest({ token: own }))),
    client.guilds.get.query({ guild }),
  ]);
  const received = new Map(server.requests.map(({ url, headers }) => [url, headers.authorization]));
  expect(received.size).toBe(people.length + 1);
  for (const [n, own] of people.entries()) {
    const [, authorization] = [...received].find(([url]) => url.includes(idOf(n))) ?? [];
    expect(authorization).toBe(`Bearer ${own}`);
  }
  expect([...received].find(([url]) => isBatch(url) || url.includes(guild))?.[1]).toBe(`Bearer ${token}`);
});

test('replaces a refused token of a call by its own source', async () => {
  await using server = await startServer((request, response) =>
    request.headers.authorization === 'Bearer renewed'
      ? sendGuild(request, response)
      : sendProblem(request, response, 'invalid-token'),
  );
  const client = createGuildSettingsClient({ url: server.url, token });
  const refused: string[] = [];
  const own = {
    get: async () => (refused.length === 0 ? 'old' : 'renewed'),
    invalidate: (rejected: string) => void refused.push(rejected),
  };
  expect(await client.guilds.get.query({ guild }, withRequest({ token: own }))).toStrictEqual(GUILD);
  expect(refused).toStrictEqual(['old']);
});

test('passes the entity tag, and the start of the next part of a history, to the caller', async () => {
  await using server = await startServer((request, response, nth) => {
    if (nth === 0) return sendGuild(request, response);
    const link = '</guilds/1/history?field=prefix&before=42>; rel="next"';
    return sendJson(response, 200, { result: { data: { entries: [] } } }, nth === 1 ? { link } : {});
  });
  const client = createGuildSettingsClient({ url: server.url, token });
  const passed: (string | number)[] = [];
  const options = withRequest({ onEtag: (etag) => passed.push(etag), onNext: (before) => passed.push(before) });
  await client.guilds.get.query({ guild }, options);
  // The last part of the history has no next part: `onNext` is not called.
  for (let part = 0; part < 2; part++) await client.guilds.history.query({ guild }, options);
  expect(passed).toStrictEqual(['"7"', 42]);
});

test('sends a change with a large input alone, so that ten of them never meet in one request', async () => {
  await using server = await startServer(sendGuild);
  const client = createGuildSettingsClient({ url: server.url, token });
  const guilds = Array.from({ length: 500 }, (_, n) => ({ id: `${10n ** 17n + BigInt(n)}`, name: 'x', icon: null }));
  const report = { type: 'snapshot', shard: { id: 0, count: 1 }, guilds } as const;
  await Promise.all([client.presence.report.mutate(report), client.presence.report.mutate(report)]);
  expect(server.requests.map(({ url }) => isBatch(url))).toStrictEqual([false, false]);
});

test('refuses a base URL that is not a URL', () => {
  expect(() => createGuildSettingsClient({ url: 'localhost', token })).toThrow(TypeError);
});

test('never quotes a token that no header can carry', async () => {
  const client = createGuildSettingsClient({ url: 'http://127.0.0.1:1', token: 'secret\nsecret' });
  const call = client.guilds.get.query({ guild });
  await expect(call).rejects.toThrow('Expected a token of printable ASCII characters without spaces');
});

test('sends further headers of a call, and passes those of the response to the caller, also of a refusal', async () => {
  await using server = await startServer((request, response) => {
    if (request.method === 'GET') return sendGuild(request, response);
    response.setHeader('retry-after', '120');
    sendJson(response, 429, { error: { code: -32_029, message: 'slow down', data: { code: 'TOO_MANY_REQUESTS' } } });
  });
  const client = createGuildSettingsClient({ url: server.url, token, retries: 0 });
  const received: (string | null)[] = [];
  const options = (name: string) =>
    withRequest({
      headers: { 'cache-control': 'no-cache' },
      onHeaders: (headers) => received.push(headers.get(name)),
    });
  await client.guilds.get.query({ guild }, options('etag'));
  await expect(client.guilds.update.mutate({ guild, prefix: '?' }, options('retry-after'))).rejects.toThrow(
    'slow down',
  );
  expect(server.requests.map(({ headers }) => headers['cache-control'])).toStrictEqual(['no-cache', 'no-cache']);
  expect(received).toStrictEqual([expect.any(String), '120']);
});

async function failedRead(answer: Parameters<typeof startServer>[0]): Promise<unknown> {
  await using server = await startServer(answer);
  const client = createGuildSettingsClient({ url: server.url, token, retries: 0 });
  return await rejectionOf(client.guilds.get.query({ guild: GUILD.id }));
}

test('gives the problem that the service answered with', async () => {
  const error = await failedRead((request, response) =>
    sendProblem(request, response, 'revision-mismatch', { current: GUILD }),
  );
  expect(isGuildSettingsError(error)).toBe(true);
  expect(problemOf(error)).toMatchObject({ status: 412, type: '/problems/revision-mismatch', current: GUILD });
  expect(problemSlugOf(error)).toBe('revision-mismatch');
  expect(hasProblem(error, 'revision-mismatch')).toBe(true);
  expect(hasProblem(error, 'internal')).toBe(false);
});

test('gives the fields in conflict and the invitation of the bot, which the service sends beside the problem', async () => {
  const conflict = { field: 'prefix', from: '1', to: '2', revision: 3, at: '2026-11-22T08:00:00.000Z' };
  const conflicts = [{ ...conflict, actor: { kind: 'user' as const, id: null } }];
  const inviteUrl = 'https://discord.com/oauth2/authorize?client_id=80351110224678912';
  for (const [slug, details] of [
    ['later-change', { conflicts }],
    ['bot-absent', { inviteUrl }],
  ] as const) {
    const error = await failedRead((request, response) => sendProblem(request, response, slug, details));
    expect(problemOf(error)).toMatchObject({ status: PROBLEMS[slug].status, ...details });
  }
});

test('gives a problem with fields and details that this version does not know, without them', async () => {
  const error = await failedRead((_request, response) => {
    const text = { title: 'New', detail: 'new', message: 'new', code: 'CONFLICT' };
    const unreadable = { conflicts: [{ field: 'prefix' }], inviteUrl: {}, retryAfter: 0.5 };
    const details = { added: 1, current: { ...GUILD, language: 'fr' }, ...unreadable };
    sendJson(response, 409, { type: '/problems/later-change', status: 409, instance: '/trpc', ...text, ...details });
  });
  expect(problemSlugOf(error)).toBe('later-change');
  expect(problemOf(error)).toEqual(expect.not.objectContaining({ added: 1 }));
});

test('gives the problem of a request that was refused before any procedure saw it', async () => {
  const error = await failedRead((_request, response) => {
    const type = 'http://service.example/problems/body-too-large';
    const text = { title: 'Body too large', detail: 'too large', message: 'too large', code: 'PAYLOAD_TOO_LARGE' };
    sendJson(response, 413, { type, status: 413, instance: '/trpc', ...text });
  });
  expect(problemSlugOf(error)).toBe('body-too-large');
});

test('gives no problem for a network failure', async () => {
  const error = await failedRead((_request, response) => response.destroy());
  expect(isGuildSettingsError(error)).toBe(true);
  expect(problemOf(error)).toBeUndefined();
});

test('gives no kind of problem for one that the catalogue does not know', async () => {
  const error = await failedRead((_request, response) => {
    const text = { title: 'New', detail: 'new', message: 'new', code: 'BAD_REQUEST' };
    sendJson(response, 400, { type: '/problems/constructor', status: 400, instance: '/trpc', ...text });
  });
  expect(problemOf(error)).toMatchObject({ title: 'New' });
  expect(problemSlugOf(error)).toBeUndefined();
});

test.each([undefined, null, 'text', new Error('other')])('knows nothing of %s', (error) => {
  expect(isGuildSettingsError(error)).toBe(false);
  expect(problemOf(error)).toBeUndefined();
});
