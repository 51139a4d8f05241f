import { formatCursor } from '@guild-settings/contract';
import { serveHttp, temporaryFile, waitUntil } from '@guild-settings/testing';
import { eventsOf } from '@guild-settings/testing/replica';
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

test('the stream of a service that sends its declaration gives the settings of the bot, in a process of some shards, which keeps no guilds of others', async () => {
  using file = temporaryFile();
  const { declaration, reset, set, guild, guilds, live } = eventsOf('one');
  const [A, B] = ['197038439483310086', '197038443677614086'] as const;
  const ofAnother = '197038439487504390';
  const xpRate = { kind: 'integer', min: 0, max: 9, default: 5 } as const;
  const sent = declaration({ settings: { xpRate: { ...xpRate, default: 7, label: {} } } });
  const inputs: { accepts: string[] }[] = [];
  await using service = await serveHttp(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname !== '/trpc/guilds.watch') return void response.writeHead(404).end();
    inputs.push(JSON.parse(searchParams.get('input') ?? ''));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const records = [set(A, 1, { custom: { xpRate: 8 } }), set(B, 2, {})];
    const others = [guild(ofAnother, 3, '?'), guilds([ofAnother, 4, '?'])];
    for (const { event, cursor } of [sent, reset, ...records, ...others, live(4)]) {
      response.write(`data: ${JSON.stringify(event)}\nid: ${formatCursor(cursor)}\n\n`);
    }
  });
  const settings = { settings: { xpRate: { ...xpRate, label: { 'en-US': 'XP' } } } };
  const shards = { ids: [0, 1, 2], count: 4 };
  const replica = openReplica({ ...OPTIONS, apiUrl: service.url, path: file.path, shards, settings });
  await replica.waitUntilLive();
  expect([A, B].map((guild) => replica.get(guild).custom.xpRate)).toEqual([8, 7]);
  expect(replica.metrics.guilds).toBe(2);
  expect(replica.status.differences).toEqual([{ name: 'xpRate', why: 'default' }]);
  expect(inputs[0]?.accepts).toContain('declaration');
  await replica.close();
});
