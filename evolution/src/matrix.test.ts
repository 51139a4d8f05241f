import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiProcess, startApi } from './api-process.ts';
import { commandsOf, recordIn } from './reader-commands.ts';
import { type ReaderProcess, startReader } from './reader-process.ts';
import { CURRENT, folderOf, makeVersions, NEXT, publishedVersions } from './versions.ts';
import { environmentOf, freshGuild, GUILD, OTHER_GUILD, patch, request, startDiscord, TOKEN } from './world.ts';

const FIRST = '1';
const OLD = publishedVersions();
const NEW = [CURRENT, NEXT];
/** Services and readers that meet. Published versions have met each other before. */
const PAIRS = [...OLD, ...NEW].flatMap((service) =>
  (NEW.includes(service) ? [...OLD, ...NEW] : NEW).map((reader) => [service, reader] as const),
);

const files = temporaryFolder();
const resources = new ResourceStack();
const apis = new Map<string, ApiProcess>();
const readers = new Map<string, ReaderProcess>();
let discord: DiscordSim;

beforeAll(async () => {
  [discord] = await Promise.all([startDiscord(), makeVersions()]);
  for (const version of [...OLD, ...NEW]) {
    readers.set(version, resources.use(startReader(folderOf(version))));
    const environment = environmentOf(discord, files.file(`${version}.db`));
    apis.set(version, resources.use(await startApi(folderOf(version), environment)));
  }
});

afterAll(async () => {
  await resources[Symbol.asyncDispose]();
  await discord?.close();
  files[Symbol.dispose]();
});

/** Returns the commands of a version's reader for a service. */
function readerAt(version: string, url = ''): ReturnType<typeof commandsOf> {
  const reader = readers.get(version);
  if (reader === undefined) throw new Error(`Expected a reader of version ${version}`);
  return commandsOf(reader, url);
}

/** Returns the values that only a version has, or that every version has. */
const valuesOf = (version: string) =>
  version === NEXT ? { language: 'fr', timezone: 'Asia/Tokyo' } : { language: 'hi' };

/** Returns those values as a reader receives them. */
const asReadBy = (reader: string, values: ReturnType<typeof valuesOf>) =>
  reader === FIRST && values.language === 'fr' ? { language: 'en-US' } : values;

/** A process that follows a guild, as the service reports it. */
interface WatcherOf {
  readonly state: string;
  readonly shard: { readonly count: number };
}

/** Returns the registered processes that follow a guild. Services of version 1 know of none. */
async function watchersOf(url: string, guild: string): Promise<readonly WatcherOf[]> {
  const { body } = await request(`${url}/guilds/${guild}/arrival`);
  return (body.watchers as readonly WatcherOf[] | undefined) ?? [];
}

/** Returns how often all records were sent anew to the replica of a file. */
function resetsOf(path: string): number | undefined {
  const file = new Database(path, { readonly: true });
  const generation = file.prepare<[], number>('SELECT generation FROM position').pluck().get();
  file.close();
  return generation;
}

describe.each(PAIRS)('the service of version %s and the reader of version %s', (version, by) => {
  test('read, change, watch, resume, restart from the file of the replica, and acknowledge', async () => {
    const { url = '' } = apis.get(version) ?? {};
    const reader = readerAt(by, url);
    const [guild, other] = [freshGuild(), freshGuild()];
    expect(await reader.get(guild)).toMatchObject({ id: guild, prefix: '!' });
    const values = valuesOf(version);
    await patch(url, guild, values);
    // A change of something else leaves alone what the reader does not know.
    await reader.update(guild, { beta: true });
    expect((await request(`${url}/guilds/${guild}`)).body).toMatchObject({ ...values, beta: true });
    const expected = { ...asReadBy(by, values), beta: true };

    const whole = await reader.watch();
    expect(whole.failures).toEqual([]);
    expect(recordIn(whole, guild)).toMatchObject(expected);
    await patch(url, other, { prefix: '%' });
    const rest = await reader.watch(whole.events.at(-1)?.cursor);
    expect(rest.events.map(({ event }) => event.type).filter((type) => type !== 'bookmark')).toEqual(['guild', 'live']);
    expect(recordIn(rest, other)).toMatchObject({ prefix: '%' });

    const path = files.file(`${version}-${by}.db`);
    await reader.openReplica(path);
    await reader.reaches(1);
    expect((await reader.replica(guild)).settings[guild]).toMatchObject(expected);
    await reader.closeReplica();
    const resets = resetsOf(path);
    const revision = await patch(url, other, { prefix: '$' });
    await reader.openReplica(path);
    expect((await reader.replica(guild)).settings[guild]).toMatchObject(expected);
    await reader.reaches(revision);
    const { settings, logged } = await reader.replica(guild, other);
    expect(settings).toMatchObject({ [guild]: expected, [other]: { prefix: '$' } });
    expect(logged).toEqual([]);
    // The replicas of readers before this one are away.
    const registered = version === FIRST || by === FIRST ? 0 : 1;
    const live = async () => (await watchersOf(url, other)).filter(({ state }) => state === 'live').length;
    await waitUntil(async () => (await live()) === registered);
    await reader.closeReplica();
    expect(resetsOf(path)).toBe(resets);
  });
});

describe.each([...OLD, CURRENT])('a process of many shards at the service of version %s', (version) => {
  test.each([
    [300, version === CURRENT ? 1 : 0, version === CURRENT || version === FIRST ? 0 : 1],
    [1_500, 0, 1],
  ])('of %i shards follows the guilds, and logs once where it is not registered', async (length, watchers, logged) => {
    const { url = '' } = apis.get(version) ?? {};
    const reader = readerAt(CURRENT, url);
    const ids = Array.from({ length }, (_, id) => id);
    const guild = freshGuild();
    await reader.openReplica(files.file(`${version}-${length}.db`), { ids, count: length });
    await reader.reaches(await patch(url, guild, { prefix: '?' }));
    const state = await reader.replica(guild);
    expect(state.settings[guild]).toMatchObject({ prefix: '?' });
    // The refused request was no failure of the connection. On a busy machine a reused one may break, once.
    expect(state.metrics.reconnects, JSON.stringify(state)).toBeLessThanOrEqual(1);
    expect(state.logged).toHaveLength(logged);
    expect((await watchersOf(url, guild)).filter(({ shard }) => shard.count === length)).toHaveLength(watchers);
    await reader.closeReplica();
  });
});

describe.each([...OLD, CURRENT])('an upgrade from version %s to the next', (from) => {
  const to = NEXT;

  test('in any order, with the files of the old version: nothing stalls, is lost, or is reset', async () => {
    using folder = temporaryFolder();
    const written = join(folderOf(from), 'files');
    if (existsSync(written)) cpSync(written, folder.path, { recursive: true });
    const environment = environmentOf(discord, folder.file('api.db'));
    await using before = await startApi(folderOf(from), environment);
    const { url } = before;
    // What the published files have.
    await patch(url, OTHER_GUILD, { language: 'ja', enabledFeatures: ['a', 'b'] });
    let revision = await patch(url, GUILD, { prefix: '?', beta: true });
    const [older, newer] = [readerAt(from, url), readerAt(to, url)];
    // Bots first: its file has been that of the old reader.
    await older.openReplica(folder.file('replica.db'));
    await older.reaches(revision);
    await older.closeReplica();
    cpSync(folder.file('replica.db'), folder.file('upgraded.db'));
    await newer.openReplica(folder.file('upgraded.db'));
    const { settings: atOnce } = await newer.replica(GUILD, OTHER_GUILD);
    expect(atOnce).toMatchObject({ [GUILD]: { prefix: '?', timezone: 'UTC' }, [OTHER_GUILD]: { language: 'ja' } });
    // The service first: this reader stays as it is.
    await older.openReplica(folder.file('replica.db'));
    await Promise.all([older.reaches(revision), newer.reaches(revision)]);
    await newer.update(GUILD, { prefix: '%' });
    await Promise.all([older.reaches(revision + 1), newer.reaches(revision + 1)]);

    await before.end('SIGTERM');
    await using after = await startApi(folderOf(to), { ...environment, PORT: new URL(url).port });
    await waitUntil(() =>
      fetch(`${after.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const values = valuesOf(to);
    await patch(url, OTHER_GUILD, values);
    revision = await patch(url, GUILD, { prefix: '$' });
    await Promise.all([older.reaches(revision), newer.reaches(revision)]);
    await older.update(OTHER_GUILD, { beta: true });
    await Promise.all([older.reaches(revision + 1), newer.reaches(revision + 1)]);
    const kept = { enabledFeatures: ['a', 'b'], beta: true };
    expect((await request(`${url}/guilds/${OTHER_GUILD}`)).body).toMatchObject({ ...values, ...kept });
    const states = [await older.replica(GUILD, OTHER_GUILD), await newer.replica(GUILD, OTHER_GUILD)];
    for (const [index, reader] of [from, to].entries()) {
      const expected = { [GUILD]: { prefix: '$' }, [OTHER_GUILD]: { ...asReadBy(reader, values), ...kept } };
      expect(states[index]?.settings, reader).toMatchObject(expected);
    }
    await Promise.all([older.closeReplica(), newer.closeReplica()]);

    // The reader that had stayed is upgraded as well, and has what the old one could not keep.
    const resets = resetsOf(folder.file('replica.db'));
    await newer.openReplica(folder.file('replica.db'));
    const { settings: served } = await newer.replica(GUILD, OTHER_GUILD);
    expect(served).toMatchObject({ [GUILD]: { prefix: '$' }, [OTHER_GUILD]: kept });
    await newer.reaches(revision + 1);
    const last = await newer.replica(GUILD, OTHER_GUILD);
    expect(last.settings).toMatchObject({ [GUILD]: { prefix: '$' }, [OTHER_GUILD]: { ...values, ...kept } });
    await newer.closeReplica();
    if (from !== FIRST) expect(resetsOf(folder.file('replica.db'))).toBe(resets);
    for (const { guild, after } of [...states, last].flatMap((state) => state.changed)) {
      if (guild === GUILD) expect(after.prefix).not.toBe('!');
      else expect(after.enabledFeatures).toEqual(['a', 'b']);
    }
  });
});

describe('the next version', () => {
  /** Returns the types of the events that a watcher receives until it is live. */
  async function typesFor(accepts?: readonly string[]): Promise<string[]> {
    const input = encodeURIComponent(JSON.stringify({ accepts, verbose: true }));
    const aborter = new AbortController();
    const response = await fetch(`${apis.get(NEXT)?.url}/trpc/guilds.watch?input=${input}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      signal: aborter.signal,
    });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes('"type":"live"')) break;
    }
    aborter.abort();
    return [...new Set([...text.matchAll(/"type":"(\w+)"/g)].map(([, type = '']) => type))];
  }

  test('sends its new events to watchers that accept them, and to no others', async () => {
    await patch(apis.get(NEXT)?.url ?? '', freshGuild(), { prefix: '?' });
    expect(await typesFor(['reset', 'guild', 'touched', 'live'])).toEqual(['reset', 'guild', 'touched', 'live']);
    expect(await typesFor(['reset', 'guild', 'live'])).toEqual(['reset', 'guild', 'live']);
    expect(await typesFor()).not.toContain('touched');
  });

  test('says in headers and in its document which operation will end', async () => {
    const { url = '' } = apis.get(NEXT) ?? {};
    const guild = freshGuild();
    for (const prefix of ['1', '2']) await patch(url, guild, { prefix });
    const input = encodeURIComponent(JSON.stringify({ guild, limit: 1 }));
    for (const path of [`/guilds/${guild}/history?limit=1`, `/trpc/guilds.history?input=${input}`]) {
      const { headers } = (await request(`${url}${path}`)).response;
      expect(headers.get('deprecation')).toBe('@1798761600');
      expect(headers.get('sunset')).toBe('Thu, 01 Jul 2027 00:00:00 GMT');
      expect(headers.get('link')).toMatch(/rel="next", <\/docs\/>; rel="deprecation"$/);
    }
    const others = (await request(`${url}/guilds/${guild}`)).response.headers;
    expect([others.get('deprecation'), others.get('sunset'), others.get('link')]).toEqual([null, null, null]);
    const { body } = await request(`${url}/openapi.json`);
    expect(body).toMatchObject({
      info: { version: others.get('guild-settings-version') },
      paths: { '/guilds/{guild}/history': { get: { deprecated: true } } },
      components: {
        schemas: { Guild: { properties: { language: { 'x-extensible-enum': expect.arrayContaining(['fr']) } } } },
      },
    });
  });
});
