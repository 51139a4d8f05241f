import { once } from 'node:events';
import { rejectionOf } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { withRequest } from './request-context.ts';
import { startServer } from './testing/http-server.ts';
import { GUILD, sendGuild, sendProblem } from './testing/service.ts';
import { DeadlineError } from './transport-errors.ts';

const guild = GUILD.id;
const token = 'a-token-that-is-good-enough';

test.each<[string, Parameters<typeof startServer>[0]]>([
  ['that is not answered', () => {}],
  ['whose body does not end', (_request, response) => void response.writeHead(200).write('[{"result":')],
])('gives up a try %s in time', async (_name, answer) => {
  await using server = await startServer(answer);
  const client = createGuildSettingsClient({ url: server.url, token, timeoutMs: 50, retries: 0 });
  const expected = { message: 'No response within 50 ms', cause: expect.any(DeadlineError) };
  expect(await rejectionOf(client.guilds.get.query({ guild }))).toMatchObject(expected);
});

test('gives each try its own deadline', async () => {
  await using server = await startServer((request, response, nth) => {
    if (nth === 1) sendGuild(request, response);
  });
  const client = createGuildSettingsClient({ url: server.url, token, timeoutMs: 1_000, retries: 1 });
  expect(await client.guilds.get.query({ guild })).toStrictEqual(GUILD);
});

test('gives up on a token source that does not answer in time', async () => {
  const tokens = { get: () => new Promise<string>(() => {}), invalidate: () => {} };
  const client = createGuildSettingsClient({ url: 'http://127.0.0.1:1', token: tokens, timeoutMs: 50, retries: 0 });
  const { cause } = (await rejectionOf(client.guilds.get.query({ guild }))) as Error;
  expect(cause).toBeInstanceOf(DeadlineError);
});

test('ends a call at once when its caller aborts it', async () => {
  const abort = new AbortController();
  await using server = await startServer(() => abort.abort(new Error('enough')));
  const client = createGuildSettingsClient({ url: server.url, token });
  await expect(client.guilds.get.query({ guild }, { signal: abort.signal })).rejects.toThrow('enough');
  await expect(client.guilds.get.query({ guild }, { signal: abort.signal })).rejects.toThrow('enough');
  expect(server.requests).toHaveLength(1);
});

test('ends an aborted call of a batch while the others go on', async () => {
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

test('ends the wait before a retry when the caller aborts', async () => {
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
