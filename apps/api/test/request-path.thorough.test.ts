import { readFile } from 'node:fs/promises';
import { executedFiles, listedFiles, waitUntil } from '@guild-settings/testing';
import { startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { expect, test } from 'vitest';

const { guild } = IDS;
const DOCUMENT = await readFile(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');

/** Optional parts of a write are switched on. */
const ENV = { RATE_LIMIT_PER_MINUTE: '100000', CHANGE_LOG_BYTES_PER_DAY: '100000000' };

const WAY = listedFiles(DOCUMENT, '## The way of a REST PATCH');
const OBSERVERS = listedFiles(DOCUMENT, '### Observers');
const TRPC_MOUNT = listedFiles(DOCUMENT, '### The way of a tRPC call');

/** Returns the files of `apps/api/src` with a function that is executed during a request, except the test kit. */
async function filesExecutedDuring({ log }: TestApi, request: () => Promise<Response>): Promise<string[]> {
  const nameOf = (url: string) => /\/apps\/api\/src\/(?!testing\/)(.*)/.exec(url)?.[1];
  return await executedFiles(nameOf, async () => {
    const response = await request();
    expect(response.status).toBe(200);
    await response.text();
    await waitUntil(() => log().includes(`"${response.headers.get('x-request-id')}"`), { message: 'its log line' });
  });
}

function patchOverRest(api: TestApi, prefix: string): Promise<Response> {
  return api.patch(guild, { prefix });
}

function patchOverTrpc(api: TestApi, prefix: string): Promise<Response> {
  return api.send('/trpc/guilds.update', { method: 'POST', token: api.tokens.manager, body: { guild, prefix } });
}

test.each([
  ['a REST PATCH', patchOverRest, WAY],
  ['a tRPC call', patchOverTrpc, [...WAY.filter((file) => file !== 'transport/rest/rest-routes.ts'), ...TRPC_MOUNT]],
])('%s passes the files that docs/architecture.md lists', async (_name, patch, way) => {
  await using api = await startApi(ENV);
  // Caches and lazily compiled code are filled: token, version, statements.
  for (const prefix of ['a', 'b', 'c']) await (await patch(api, prefix)).text();
  const [first, second] = [
    await filesExecutedDuring(api, () => patch(api, 'd')),
    await filesExecutedDuring(api, () => patch(api, 'e')),
  ];
  // Work of a timer, such as that of erasures, may run during one of them.
  expect(first.filter((file) => second.includes(file))).toEqual([...way, ...OBSERVERS].toSorted());
});

test('the way of a REST PATCH is at most 20 files', () => {
  expect(WAY.length).toBeGreaterThan(0);
  expect(WAY.length).toBeLessThanOrEqual(20);
});
