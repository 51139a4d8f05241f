import { temporaryFile, waitUntil } from '@guild-settings/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { openReplica } from './open-replica.ts';

const OPTIONS = { apiUrl: 'http://127.0.0.1:9', credentials: 'token' } as const;

afterEach(() => vi.unstubAllGlobals());

test("a URL of Discord's API that is undefined, as from an environment variable, is Discord's own", async () => {
  using file = temporaryFile();
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (url: string | URL) => {
    urls.push(String(url));
    throw new TypeError('fetch failed');
  });
  const credentials = { applicationId: '80351110224678912', clientSecret: 'secret', discordApiUrl: undefined };
  const replica = openReplica({ ...OPTIONS, credentials, path: file.path });
  await waitUntil(() => urls.length > 0);
  await replica.close();
  expect(urls[0]).toBe('https://discord.com/api/v10/oauth2/token');
});

test.each([
  { ids: [], count: 2 },
  { ids: [2], count: 2 },
  { ids: [0, 9], count: 4 },
  { ids: [-1], count: 2 },
  { ids: [0.5], count: 2 },
  { ids: [0], count: 0 },
  { ids: Array.from({ length: 1_025 }, (_, id) => id), count: 2_000 },
])("shards %j, which are not some of the bot's, are refused before the file is opened", (shards) => {
  using file = temporaryFile();
  expect(() => openReplica({ ...OPTIONS, path: file.path, shards })).toThrow(RangeError);
  expect(() => openReplica({ ...OPTIONS, path: file.path, shards })).toThrow('for a count of');
});
