import { readFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';

const { guild } = IDS;
const DOCUMENT = await readFile(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');

/** Optional parts of a write are switched on. */
const ENV = { RATE_LIMIT_PER_MINUTE: '100000', CHANGE_LOG_BYTES_PER_DAY: '100000000' };

/** The files that a section of the document lists: the paths in backticks before the colon of each item. */
function listedFiles(heading: string): string[] {
  const [, section = ''] = DOCUMENT.split(`\n${heading}\n`);
  const [body = ''] = section.split(/\n#+ /);
  const items = body.split('\n').filter((line) => /^(?:\d+\.|-) `/.test(line));
  return items.flatMap((item) =>
    [
      ...item
        .split(':', 1)
        .join()
        .matchAll(/`([^`]+\.ts)`/g),
    ].map(([, file = '']) => file),
  );
}

const WAY = listedFiles('## The way of a REST PATCH');
const OBSERVERS = listedFiles('### Observers');
const TRPC_MOUNT = listedFiles('### The way of a tRPC call');

/** Vite adds such a function for each export, which other modules read it by. */
const EXPORT_GETTER = /^\(\) => \{ try \{ return \w+ \} catch \{\} \}$/;

/** Returns the files of `apps/api/src` with a function that is executed during a request, except the test kit. */
async function filesExecutedDuring({ log }: TestApi, request: () => Promise<Response>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Work of earlier requests ends before the count begins.
    await delay(100);
    await session.post('Profiler.takePreciseCoverage');
    const response = await request();
    expect(response.status).toBe(200);
    await response.text();
    await waitUntil(() => log().includes(`"${response.headers.get('x-request-id')}"`), { message: 'its log line' });
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Debugger.enable');
    const files: string[] = [];
    for (const { url, scriptId, functions } of result) {
      const file = url.split('/apps/api/src/')[1];
      if (file === undefined || file.startsWith('testing/')) continue;
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
      const executed = functions
        .flatMap(({ ranges }) => ranges.slice(0, 1))
        .filter(({ count }) => count > 0)
        .map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset));
      if (executed.some((source) => !EXPORT_GETTER.test(source))) files.push(file);
    }
    return files.toSorted();
  } finally {
    session.disconnect();
  }
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
