import { Agent } from 'node:http';
import { minCpuTimeMs } from '@guild-settings/testing';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { statusOf } from '@guild-settings/testing/raw-http';
import { afterAll, describe, expect, test } from 'vitest';

/** Of the 16 KiB that Node takes as the headers of one request. */
const LENGTH = 15_000;

/** Trying every pair of its characters would take a second. */
const LIMIT_MS = 100;

const SEPARATORS = [...', \t;"=/.:%-*(\\', ' ,', ';a=', '""', '"1",', '%20'];

/** Beginnings and ends around a long run of separators, so that each header's parser gets as far as it can. */
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
      for (const path of [`/guilds/${IDS.guild}`, '/trpc/guilds.update', '/trpc/guilds.watch', '/healthz']) {
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
    expect((await api.get(IDS.guild)).status).toBe(200);
    const headers = { 'if-none-match': `"1"${','.repeat(LENGTH)}"2"` };
    expect((await api.get(IDS.guild, { headers })).status).toBe(400);
    const limited = await api.get(IDS.guild, { headers });
    expect([limited.status, limited.headers.has('retry-after')]).toEqual([429, true]);
  });
});

async function ask(api: TestApi, path: string, headers: Record<string, string>): Promise<void> {
  const method = path.startsWith('/guilds') ? 'PATCH' : path === '/trpc/guilds.update' ? 'POST' : 'GET';
  const all = { authorization: `Bearer ${api.tokens.manager}`, 'content-type': 'application/json', ...headers };
  const body = method === 'GET' ? undefined : `{"guild":"${IDS.guild}"}`;
  await statusOf(`${api.url}${path}`, { method, agent, headers: all }, body);
}
