import { inspect } from 'node:util';
import { rejectionOf } from '@guild-settings/testing';
import { sendJson, startServer, type TestServer } from '@guild-settings/testing/client';
import { expect, test, vi } from 'vitest';
import { type ClientCredentialsOptions, clientCredentials, type GrantOutcome } from './client-credentials.ts';
import { TokenError } from './token-source.ts';

const SECOND = 1_000;
const WEEK = 604_800 * SECOND;
const APPLICATION = { applicationId: '80351110224678912', clientSecret: 's3cret:with:colons' };

/** Responds to every request with the next token, or with `fail`. */
function startDiscord(fail: Parameters<typeof startServer>[0] | undefined = undefined): Promise<TestServer> {
  return startServer((request, response, nth) => {
    if (fail && nth > 0) return fail(request, response, nth);
    return sendJson(response, 200, { access_token: `token-${nth}`, token_type: 'Bearer', expires_in: WEEK / SECOND });
  });
}

function sourceAt({ url }: TestServer, more: Partial<ClientCredentialsOptions> = {}) {
  const clock = { now: 0 };
  const tokens = clientCredentials({
    discordApiUrl: `${url}/api/v10/`,
    ...APPLICATION,
    clock: () => clock.now,
    ...more,
  });
  return { clock, tokens };
}

test('requests a token by HTTP Basic and form, for the scope of the application', async () => {
  await using discord = await startDiscord();
  expect(await sourceAt(discord).tokens.get()).toBe('token-0');
  const [request] = discord.requests;
  expect(request).toMatchObject({
    method: 'POST',
    url: '/api/v10/oauth2/token',
    body: 'grant_type=client_credentials&scope=applications.commands.update',
  });
  expect(request?.headers['content-type']).toMatch('application/x-www-form-urlencoded');
  const [, basic = ''] = request?.headers.authorization?.split(' ') ?? [];
  expect(Buffer.from(basic, 'base64').toString()).toBe('80351110224678912:s3cret:with:colons');
});

test('sends one request for simultaneous calls', async () => {
  await using discord = await startDiscord();
  const { tokens } = sourceAt(discord);
  expect(new Set(await Promise.all(Array.from({ length: 100 }, () => tokens.get())))).toStrictEqual(
    new Set(['token-0']),
  );
  expect(await tokens.get()).toBe('token-0');
  expect(discord.requests).toHaveLength(1);
});

test('renews a token before it expires, while the old one is served, and waits for a new one after it', async () => {
  await using discord = await startDiscord();
  const { tokens, clock } = sourceAt(discord);
  await tokens.get();
  clock.now = 0.95 * WEEK;
  expect(await tokens.get()).toBe('token-0');
  await expect.poll(() => tokens.get()).toBe('token-1');
  expect(discord.requests).toHaveLength(2);
  clock.now += WEEK;
  expect(await tokens.get()).toBe('token-2');
});

test('serves a token that is still good while Discord cannot renew it, asking now and then', async () => {
  await using discord = await startDiscord((_request, response) => response.writeHead(502).end('<h1>502</h1>'));
  const outcomes: GrantOutcome[] = [];
  const { tokens, clock } = sourceAt(discord, { onGrant: (outcome) => outcomes.push(outcome) });
  await tokens.get();
  clock.now = 0.95 * WEEK;
  for (let n = 0; n < 50; n += 1) expect(await tokens.get()).toBe('token-0');
  // The pause begins when the failure is known, after the request arrived.
  await expect.poll(() => outcomes.length).toBe(2);
  expect(discord.requests).toHaveLength(2);
  clock.now += 11 * SECOND;
  await expect.poll(async () => [await tokens.get(), discord.requests.length]).toStrictEqual(['token-0', 3]);
  clock.now = WEEK;
  expect(await rejectionOf(tokens.get())).toMatchObject({ name: 'TokenError', fault: 'unavailable', status: 502 });
});

test('fetches another token in place of one that was refused', async () => {
  await using discord = await startDiscord();
  const { tokens } = sourceAt(discord);
  tokens.invalidate(await tokens.get());
  expect(await tokens.get()).toBe('token-1');
  tokens.invalidate('token-0');
  expect(await tokens.get()).toBe('token-1');
});

test('does not fetch token after token when none is accepted', async () => {
  await using discord = await startDiscord();
  const { tokens, clock } = sourceAt(discord);
  for (let n = 0; n < 50; n += 1) tokens.invalidate(await tokens.get());
  expect(discord.requests).toHaveLength(2);
  clock.now += 11 * SECOND;
  tokens.invalidate(await tokens.get());
  await tokens.get();
  expect(discord.requests).toHaveLength(3);
});

test('sends no request to Discord for the time that it states', async () => {
  await using discord = await startServer((_request, response) => sendJson(response, 429, {}, { 'retry-after': '30' }));
  const { tokens, clock } = sourceAt(discord);
  expect(await rejectionOf(tokens.get())).toMatchObject({ fault: 'unavailable', status: 429, retryAfter: 30 });
  await rejectionOf(tokens.get());
  expect(discord.requests).toHaveLength(1);
  clock.now += 30 * SECOND;
  await rejectionOf(tokens.get());
  expect(discord.requests).toHaveLength(2);
});

test('says when Discord does not accept the credentials, without quoting them', async () => {
  await using discord = await startServer((_request, response) => sendJson(response, 401, { error: 'invalid_client' }));
  const error = await rejectionOf(sourceAt(discord).tokens.get());
  expect(error).toBeInstanceOf(TokenError);
  expect(error).toMatchObject({
    fault: 'refused',
    status: 401,
    message:
      'Discord issued no token to application 80351110224678912, whose id or client secret is wrong: invalid_client',
  });
  const basic = Buffer.from(`${APPLICATION.applicationId}:${APPLICATION.clientSecret}`).toString('base64');
  expect(inspect(error, { depth: 20 })).not.toMatch(new RegExp(`s3cret|${basic}`));
});

test.each([
  ['no JSON', '<h1>hello</h1>'],
  ['no token', '{"expires_in":60}'],
  ['a token that no header can carry', '{"access_token":"a b","expires_in":60}'],
  ['no life time', '{"access_token":"token"}'],
  ['null', 'null'],
])('says when the answer holds %s', async (_what, body) => {
  await using discord = await startServer((_request, response) => response.end(body));
  expect(await rejectionOf(sourceAt(discord).tokens.get())).toMatchObject({ fault: 'malformed' });
});

test('gives up when Discord does not answer in time', async () => {
  await using discord = await startServer(() => {});
  const { tokens } = sourceAt(discord, { timeoutMs: 50 });
  expect(await rejectionOf(tokens.get())).toMatchObject({ fault: 'unavailable', cause: { name: 'DeadlineError' } });
});

test("ends one caller's wait without ending the request for the others", async () => {
  const abort = new AbortController();
  await using discord = await startServer((_request, response) => {
    abort.abort(new Error('enough'));
    setImmediate(() => sendJson(response, 200, { access_token: 'token-0', expires_in: 60 }));
  });
  const { tokens } = sourceAt(discord);
  const [aborted, other] = [tokens.get(abort.signal), tokens.get()];
  await expect(aborted).rejects.toThrow('enough');
  expect(await other).toBe('token-0');
  expect(discord.requests).toHaveLength(1);
});

test.each([
  [401, 'invalid_client'],
  [400, 'invalid_grant'],
  [403, undefined],
])('a wrong secret made a request a second for ever (%i %s)', async (status, error) => {
  let isWrong = true;
  await using discord = await startServer((_request, response) =>
    isWrong
      ? sendJson(response, status, { error })
      : sendJson(response, 200, { access_token: 'token-of-the-right-secret', expires_in: 60 }),
  );
  const outcomes: GrantOutcome[] = [];
  const { tokens, clock } = sourceAt(discord, { onGrant: (outcome) => outcomes.push(outcome) });
  const waits: number[] = [];
  for (let second = 0; second < 3_600; second += 1) {
    clock.now = second * SECOND;
    const failure = await rejectionOf(tokens.get());
    expect(failure).toMatchObject({ fault: 'refused', status, reason: error });
    waits.push(failure instanceof TokenError ? (failure.retryAfter ?? 0) : 0);
  }
  // 5, 10, 20, 40, 80 and 160 s apart, then 300 s, all shortened by up to a fifth.
  expect(discord.requests.length).toBeGreaterThan(10);
  expect(discord.requests.length).toBeLessThan(30);
  expect(outcomes).toHaveLength(discord.requests.length);
  expect(Math.max(...waits)).toBeLessThanOrEqual(300);

  isWrong = false;
  clock.now += 300 * SECOND;
  expect(await tokens.get()).toBe('token-of-the-right-secret');
  expect(outcomes.at(-1)).toStrictEqual({ outcome: 'granted' });
});

test('a token that is still good is served while its renewal is refused, at few requests', async () => {
  await using discord = await startDiscord((_request, response) =>
    sendJson(response, 401, { error: 'invalid_client' }),
  );
  const { tokens, clock } = sourceAt(discord);
  await tokens.get();
  for (let second = 0; second < 3_600; second += 1) {
    clock.now = 0.95 * WEEK + second * SECOND;
    expect(await tokens.get()).toBe('token-0');
    // Waits for a pending renewal.
    if (second % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(discord.requests.length).toBeLessThan(30);
});

test('an outage of Discord is waited out with fewer and fewer requests, and its end is noticed within seconds', async () => {
  let isDown = true;
  await using discord = await startServer((_request, response) =>
    isDown ? response.writeHead(503).end() : sendJson(response, 200, { access_token: 'token', expires_in: 60 }),
  );
  const { tokens, clock } = sourceAt(discord);
  for (let second = 0; second < 600; second += 1) {
    clock.now = second * SECOND;
    expect(await rejectionOf(tokens.get())).toMatchObject({ fault: 'unavailable', status: 503 });
  }
  expect(discord.requests.length).toBeLessThan(90);
  isDown = false;
  clock.now += 10 * SECOND;
  expect(await tokens.get()).toBe('token');
});

test('a step of the system clock neither ends a token early nor keeps it for longer', async () => {
  await using discord = await startDiscord();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    const system = clientCredentials({ discordApiUrl: `${discord.url}/api/v10/`, ...APPLICATION });
    const first = await system.get();
    for (const hours of [1, -1, 24 * 30, -24 * 30]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(await system.get()).toBe(first);
    }
    expect(discord.requests).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});
