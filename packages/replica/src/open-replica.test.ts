import { Console } from 'node:console';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { formatCursor } from '@guild-settings/contract';
import { serveHttp, temporaryFile, waitUntil } from '@guild-settings/testing';
import { eventsOf, followedReplica } from '@guild-settings/testing/replica';
import Database from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { openReplica, type ReplicaLog } from './open-replica.ts';

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

const { reset, guild: record, live } = eventsOf('two');

/** Sends a history of one guild, and keeps the connection open. */
function sendAll(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const { event, cursor } of [reset, record('197038439483310086', 1, '?'), live(1)])
    response.write(`data: ${JSON.stringify(event)}\nid: ${formatCursor(cursor)}\n\n`);
}

test('a log has one entry for each state, however many attempts fail, and one when all is well', async () => {
  using file = temporaryFile();
  await (await followedReplica({ path: file.path }))[Symbol.asyncDispose]();
  const ofTheFile = new Database(file.path);
  ofTheFile.exec(`CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no space'); END`);
  const entries: [level: string, message: string, error: unknown][] = [];
  const log: ReplicaLog = {
    warn: ({ err }, message) => entries.push(['warn', message, err instanceof Error ? err.message : err]),
    error: (_, message) => entries.push(['error', message, undefined]),
    info: (fields, message) => entries.push(['info', message, fields]),
  };
  const isLast = (text: string) => entries.at(-1)?.[1].includes(text) === true;
  let tokens = 0;
  let attempts = 0;
  let last: ServerResponse | undefined;
  await using service = await serveHttp(({ url = '' }, response) => {
    if (!url.startsWith('/trpc/guilds.watch')) return void response.writeHead(404).end();
    attempts += 1;
    if (attempts <= 2) return void response.destroy();
    last = response;
    sendAll(response);
  });
  // Of another copy of the client.
  class TokenError extends Error {
    override readonly name = 'TokenError';
  }
  const credentials = {
    async get() {
      tokens += 1;
      if (tokens === 1) throw new TokenError('Discord is away');
      return 'token';
    },
    invalidate() {},
  };
  const replica = openReplica({ apiUrl: service.url, credentials, path: file.path, log });
  await waitUntil(() => isLast('file'));
  ofTheFile.exec('DROP TRIGGER full');
  ofTheFile.close();
  await replica.waitUntilLive();
  await waitUntil(() => isLast('again'));
  last?.end();
  await waitUntil(() => entries.length === 6);
  await replica.close();
  const up = { downMs: expect.any(Number) };
  expect(entries).toEqual([
    ['warn', expect.stringContaining('no access token'), 'Discord is away'],
    ['warn', expect.stringContaining('cannot be followed'), 'Connection lost before the response'],
    ['warn', expect.stringContaining('cannot be written'), 'no space'],
    ['info', 'The settings are up to date again.', up],
    ['warn', expect.stringContaining('cannot be followed'), undefined],
    ['info', 'The settings are up to date again.', up],
  ]);
});

test('a console has the sentence first, and the error in a line', async () => {
  using file = temporaryFile();
  let printed = '';
  const stream = new Writable({
    write(chunk, _, done) {
      printed += chunk;
      done();
    },
  });
  let attempts = 0;
  await using service = await serveHttp((_, response) => {
    attempts += 1;
    if (attempts === 1) response.destroy();
    else sendAll(response);
  });
  const replica = openReplica({ ...OPTIONS, apiUrl: service.url, path: file.path, log: new Console(stream) });
  replica.on('change', () => Promise.reject(new Error('of the bot')));
  await waitUntil(() => printed.includes('again'));
  await waitUntil(() => printed.includes('of the bot'));
  await replica.close();
  const [lost, ...lines] = printed.split('\n');
  expect(lost).toBe(
    "The settings service cannot be followed; the stored settings are used. { err: 'Connection lost before the response: other side closed' }",
  );
  expect(lines).toContainEqual(expect.stringMatching(/^The settings are up to date again\. \{ downMs: \d+ \}$/));
  // For a mistake of the bot, the stack is printed.
  expect(printed).toMatch(/^A listener of the settings threw an error\. \{\n {2}err: Error: of the bot\n +at /m);
});
