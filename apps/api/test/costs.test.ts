import { Agent } from 'node:http';
import { minCpuTimeMs } from '@guild-settings/testing';
import { problemIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { statusOf } from '@guild-settings/testing/raw-http';
import { readChanges } from '@guild-settings/testing/stores';
import { afterAll, describe, expect } from 'vitest';

const { guild } = IDS;

/** Of the 16 KiB that Node accepts as the headers of one request. */
const LENGTH = 15_000;

/** Comparing every pair of its characters would take a second. */
const LIMIT_MS = 100;

const SEPARATORS = [...', \t;"=/.:%-*(\\', ' ,', ';a=', '""', '"1",', '%20'];

/** Starts and ends around a long run of separators, so that the header's parser gets as far as possible. */
const HEADERS: readonly (readonly [name: string, start: string, end: string])[] = [
  ['accept', 'application/json', 'x'],
  ['accept-encoding', 'gzip', 'x'],
  ['authorization', 'Bearer ', 'x'],
  ['content-encoding', 'identity', 'x'],
  ['content-type', 'application/json;a=', 'x'],
  ['content-type', 'application/json', 'x'],
  ['cookie', 'a=', 'x'],
  ['if-match', '"1"', '"2"'],
  ['if-match', '', 'x'],
  ['if-none-match', '"1"', '"2"'],
  ['if-none-match', '', 'x'],
  ['last-event-id', 'a:', '1'],
  ['origin', 'https://', 'x'],
  ['prefer', 'wait=', '1'],
  ['trpc-accept', 'application/jsonl', 'x'],
  ['x-audit-log-reason', 'a', 'x'],
  ['x-forwarded-for', '192.0.2.1', '192.0.2.2'],
  ['x-on-behalf-of', IDS.owner, 'x'],
  ['x-request-id', 'a', 'x'],
];

const shared = await startApi({ LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1' });
afterAll(() => shared[Symbol.asyncDispose]());

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

describe('a header of 15 KB', () => {
  test.each(HEADERS)(
    '%s: %s... takes less than 100 ms of the processor, whatever it repeats',
    async (name, start, end) => {
      for (const path of [`/guilds/${guild}`, '/trpc/guilds.update', '/trpc/guilds.watch', '/healthz']) {
        for (const separator of SEPARATORS) {
          const value = `${start}${separator.repeat((LENGTH - start.length - end.length) / separator.length)}${end}`;
          const milliseconds = await minCpuTimeMs(25, LIMIT_MS, () => ask(shared, path, { [name]: value }));
          expect(milliseconds, `${path} with ${JSON.stringify(separator)}`).toBeLessThan(LIMIT_MS);
        }
      }
    },
  );

  test('counts against the rate limit before it is parsed', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '2' });
    expect((await api.get(guild)).status).toBe(200);
    const headers = { 'if-none-match': `"1"${','.repeat(LENGTH)}"2"` };
    expect((await api.get(guild, { headers })).status).toBe(400);
    const limited = await api.get(guild, { headers });
    expect([limited.status, limited.headers.has('retry-after')]).toEqual([429, true]);
  });
});

async function ask(api: TestApi, path: string, headers: Record<string, string>): Promise<void> {
  const method = path.startsWith('/guilds') ? 'PATCH' : path === '/trpc/guilds.update' ? 'POST' : 'GET';
  const all = { authorization: `Bearer ${api.tokens.manager}`, 'content-type': 'application/json', ...headers };
  const body = method === 'GET' ? undefined : `{"guild":"${guild}"}`;
  await statusOf(`${api.url}${path}`, { method, agent, headers: all }, body);
}

/** Just below the maximum of two megabytes of a presence snapshot. */
const NESTED = '['.repeat(1_000_000) + ']'.repeat(1_000_000);

/** Mostly the time for sending two megabytes, and for the reads that the response waits for. */
const NESTED_LIMIT_MS = 60;

const post = (api: TestApi, path: string, token: string, body: string) =>
  api.send(path, { method: 'POST', token, headers: { 'content-type': 'application/json' }, body });

describe('two megabytes of nested JSON over tRPC', () => {
  test.each([
    ['one call', '/trpc/guilds.update', `{"guild":"${guild}","x":${NESTED}}`],
    ['a call that the application may make', '/trpc/presence.report', `{"type":"left","guild":${NESTED}}`],
    [
      'a batch with a call that the application may make',
      '/trpc/presence.report,guilds.update?batch=1',
      `{"1":{"guild":"${IDS.otherGuild}","x":${NESTED}}}`,
    ],
  ])('are not parsed for a manager, in %s', async (_name, path, body) => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const statuses = new Set<number>();
    const milliseconds = await minCpuTimeMs(20, NESTED_LIMIT_MS, async () => {
      statuses.add((await post(api, path, api.tokens.manager, body)).status);
    });
    expect([...statuses].every((status) => status === 413 || status === 403 || status === 207)).toBe(true);
    expect(milliseconds).toBeLessThan(NESTED_LIMIT_MS);
    expect(readChanges(api)).toEqual([]);
  });

  test('are not parsed for the application either, and the refusal says how deep they may be', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const send = () => post(api, '/trpc/presence.report', api.tokens.application, `{"type":"left","guild":${NESTED}}`);
    const refused = await send();
    expect(refused.status).toBe(400);
    const { error } = (await refused.json()) as { error: { data: { problem: object } } };
    expect(error.data.problem).toMatchObject({ code: 'BAD_REQUEST', detail: expect.stringContaining('16 levels') });
    expect(await minCpuTimeMs(20, NESTED_LIMIT_MS, send)).toBeLessThan(NESTED_LIMIT_MS);
  });
});

test('JSON nested more than sixteen levels deep is refused over REST, and up to sixteen is judged by what it says', async ({
  api,
}) => {
  const nested = (depth: number) => `{"prefix":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const deep = await api.patch(guild, nested(17), { headers: { 'content-type': 'application/json' } });
  expect([deep.status, (await problemIn(deep)).type]).toEqual([400, '/problems/invalid-body']);
  const shallow = await api.patch(guild, nested(16), { headers: { 'content-type': 'application/json' } });
  expect([shallow.status, (await problemIn(shallow)).type]).toEqual([400, '/problems/invalid-request']);
  const text = await api.patch(guild, { prefix: '[[[[[[[[[[[[[[[[[[["' });
  expect([text.status, await text.json()]).toEqual([200, expect.objectContaining({ prefix: '[[[[[[[[[[[[[[[[[[["' })]);
});

test('JSON with more fields than any operation accepts is refused before they are examined', async ({ api }) => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`).join();
  const send = (settings: string, more = '') => {
    const body = `{"version":1,"guild":"${guild}","settings":${settings}${more}}`;
    const headers = { 'content-type': 'application/json' };
    return api.send(`/guilds/${guild}/import?dry_run=true`, {
      method: 'POST',
      token: api.tokens.manager,
      headers,
      body,
    });
  };
  for (const [settings, more] of [
    [`{${fields(150_000)}}`, ''],
    ['{}', `,${fields(150_000)}`],
    ['{}', `,"history":[${'{},'.repeat(400_001)}{}]`],
  ] as const) {
    const refused = await send(settings, more);
    expect([refused.status, (await problemIn(refused)).type]).toEqual([400, '/problems/invalid-body']);
  }
  // Separators within texts do not count, nor do those in a history.
  expect((await send(`{"enabledFeatures":["${':,'.repeat(30)}"]}`)).status).toBe(200);
  expect((await send('{}', `,"history":{"entries":[${'{"a":1},'.repeat(100_000)}{}]}`)).status).toBe(200);
  // Few enough to list.
  const named = await send(`{${fields(500)}}`);
  expect([named.status, (await problemIn(named)).type]).toEqual([400, '/problems/invalid-request']);
});
