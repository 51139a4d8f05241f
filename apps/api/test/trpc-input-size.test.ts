import { minCpuTimeMs } from '@guild-settings/testing';
import { problemIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import { describe, expect } from 'vitest';

const { guild } = IDS;

/** Just below the two megabytes that a presence snapshot may have. */
const NESTED = '['.repeat(1_000_000) + ']'.repeat(1_000_000);

/** Of which sending two megabytes, and reading what the response waits for, take the most. */
const LIMIT_MS = 60;

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
    const milliseconds = await minCpuTimeMs(20, LIMIT_MS, async () => {
      statuses.add((await post(api, path, api.tokens.manager, body)).status);
    });
    expect([...statuses].every((status) => status === 413 || status === 403 || status === 207)).toBe(true);
    expect(milliseconds).toBeLessThan(LIMIT_MS);
    expect(readChanges(api)).toEqual([]);
  });

  test('are not parsed for the application either, and the refusal says how deep they may be', async () => {
    await using api = await startApi({ LOG_LEVEL: 'error' });
    const send = () => post(api, '/trpc/presence.report', api.tokens.application, `{"type":"left","guild":${NESTED}}`);
    const refused = await send();
    expect(refused.status).toBe(400);
    const { error } = (await refused.json()) as { error: { data: { problem: object } } };
    expect(error.data.problem).toMatchObject({ code: 'BAD_REQUEST', detail: expect.stringContaining('16 levels') });
    expect(await minCpuTimeMs(20, LIMIT_MS, send)).toBeLessThan(LIMIT_MS);
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
  // Separators within texts do not count, nor those in a history.
  expect((await send(`{"enabledFeatures":["${':,'.repeat(30)}"]}`)).status).toBe(200);
  expect((await send('{}', `,"history":{"entries":[${'{"a":1},'.repeat(100_000)}{}]}`)).status).toBe(200);
  // Few enough to name them.
  const named = await send(`{${fields(500)}}`);
  expect([named.status, (await problemIn(named)).type]).toEqual([400, '/problems/invalid-request']);
});
