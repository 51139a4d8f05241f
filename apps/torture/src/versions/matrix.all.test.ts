import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import { ResourceStack, temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AnyRecord,
  type ApiProcess,
  commandsOf,
  environmentOf,
  freshGuild,
  GUILD,
  OTHER_GUILD,
  patch,
  type ReaderProcess,
  recordsIn,
  request,
  startApi,
  startReader,
  TOKEN,
  type Watched,
} from './programs.ts';
import {
  CURRENT,
  copyPublished,
  FILES,
  folderOf,
  MADE,
  makeVersions,
  NEXT,
  PUBLISHED_SETTINGS,
  publishedVersions,
} from './versions.ts';

const PUBLISHED = publishedVersions();

const PAIRS = [
  [CURRENT, NEXT],
  [NEXT, CURRENT],
  ...PUBLISHED.flatMap((version) => [
    [CURRENT, version],
    [NEXT, version],
  ]),
] as [version: string, by: string][];

const files = temporaryFolder();
const resources = new ResourceStack();
const apis = new Map<string, ApiProcess>();
const readers = new Map<string, ReaderProcess>();
let discord: DiscordSim;

const fileOf = (version: string) => files.file(`${version}.db`);

beforeAll(async () => {
  await makeVersions();
  discord = await startWorld();
  for (const version of [CURRENT, NEXT, ...PUBLISHED]) {
    readers.set(version, resources.use(startReader(join(MADE, version))));
  }
  for (const version of [CURRENT, NEXT]) {
    apis.set(version, resources.use(await startApi(folderOf(version), environmentOf(discord, fileOf(version)))));
  }
});

afterAll(async () => {
  await resources[Symbol.asyncDispose]();
  await discord?.close();
  files[Symbol.dispose]();
});

function readerAt(version: string, url = ''): ReturnType<typeof commandsOf> {
  const reader = readers.get(version);
  if (reader === undefined) throw new Error(`Expected a reader of version ${version}`);
  return commandsOf(reader, url);
}

/** Values of the settings known to a service of a version. */
const VALUES: Readonly<Record<string, object>> = {
  [CURRENT]: { language: 'hi' },
  [NEXT]: { language: 'fr', timezone: 'Asia/Tokyo' },
};

async function watcherStates(url: string, guild: string): Promise<string[]> {
  const { body } = await request(`${url}/guilds/${guild}/arrival`);
  return (body.watchers as readonly { readonly state: string }[]).map(({ state }) => state);
}

function recordIn(watched: Watched, guild: string): AnyRecord | undefined {
  return recordsIn(watched).findLast((record) => record.guild.id === guild)?.guild;
}

/** Returns how often all records were sent again to the replica of a file. */
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
    const values = VALUES[version] ?? {};
    await patch(url, guild, values);
    // A change of another field must not affect data unknown to the reader.
    await reader.update(guild, { beta: true });
    expect((await request(`${url}/guilds/${guild}`)).body).toMatchObject({ ...values, beta: true });
    const expected = { ...values, beta: true };

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
    await waitUntil(async () => (await watcherStates(url, other)).includes('live'));
    await reader.closeReplica();
    expect(resetsOf(path)).toBe(resets);
  });
});

describe.each(PUBLISHED)('the files of version %s', (published) => {
  test.each([CURRENT, NEXT])(
    'are read by the service and the replica of version %s without a reset',
    async (version) => {
      using folder = temporaryFolder();
      for (const file of Object.values(FILES)) copyPublished(published, file, folder.file(file));
      const path = folder.file(FILES.replica);
      const resets = resetsOf(path);
      await using api = await startApi(folderOf(version), environmentOf(discord, folder.file(FILES.service)));
      const reader = readerAt(version, api.url);
      await reader.openReplica(path);
      expect((await reader.replica(GUILD, OTHER_GUILD)).settings).toMatchObject(PUBLISHED_SETTINGS);
      await reader.reaches(await patch(api.url, GUILD, { prefix: '$' }));
      await reader.closeReplica();
      expect(resetsOf(path)).toBe(resets);
      const { prefix, ...rest } = PUBLISHED_SETTINGS[GUILD] ?? {};
      expect((await request(`${api.url}/guilds/${GUILD}`)).body).toMatchObject({ ...rest, prefix: '$' });
      const { entries } = (await request(`${api.url}/guilds/${GUILD}/history?limit=1`)).body;
      expect(entries).toMatchObject([{ changes: { prefix: { from: prefix, to: '$' } } }]);
    },
  );
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
      expect(headers.get('link')).toMatch(/rel="next", <\/docs>; rel="deprecation"$/);
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

// Runs last, because it ends the service of this version.
describe('an upgrade to the next version', () => {
  test('in any order, with the files of the old version: nothing stalls, is lost, or is reset', async () => {
    using folder = temporaryFolder();
    const before = apis.get(CURRENT);
    const { url = '' } = before ?? {};
    await patch(url, OTHER_GUILD, { language: 'ja', enabledFeatures: ['a', 'b'] });
    let revision = await patch(url, GUILD, { prefix: '?', beta: true });
    const [older, newer] = [readerAt(CURRENT, url), readerAt(NEXT, url)];
    // Bots first: the new reader opens the file of the old one.
    await older.openReplica(folder.file('replica.db'));
    await older.reaches(revision);
    await older.closeReplica();
    cpSync(folder.file('replica.db'), folder.file('upgraded.db'));
    await newer.openReplica(folder.file('upgraded.db'));
    const { settings: atOnce } = await newer.replica(GUILD, OTHER_GUILD);
    expect(atOnce).toMatchObject({ [GUILD]: { prefix: '?', timezone: 'UTC' }, [OTHER_GUILD]: { language: 'ja' } });
    // The service first: the old reader stays.
    await older.openReplica(folder.file('replica.db'));
    await Promise.all([older.reaches(revision), newer.reaches(revision)]);
    await newer.update(GUILD, { prefix: '%' });
    await Promise.all([older.reaches(revision + 1), newer.reaches(revision + 1)]);

    await before?.end('SIGTERM');
    await using _after = await startApi(folderOf(NEXT), {
      ...environmentOf(discord, fileOf(CURRENT)),
      PORT: new URL(url).port,
    });
    const values = VALUES[NEXT] ?? {};
    await patch(url, OTHER_GUILD, values);
    revision = await patch(url, GUILD, { prefix: '$' });
    await Promise.all([older.reaches(revision), newer.reaches(revision)]);
    await older.update(OTHER_GUILD, { beta: true });
    await Promise.all([older.reaches(revision + 1), newer.reaches(revision + 1)]);
    const kept = { enabledFeatures: ['a', 'b'], beta: true };
    expect((await request(`${url}/guilds/${OTHER_GUILD}`)).body).toMatchObject({ ...values, ...kept });
    const states = [await older.replica(GUILD, OTHER_GUILD), await newer.replica(GUILD, OTHER_GUILD)];
    const expected = { [GUILD]: { prefix: '$' }, [OTHER_GUILD]: { ...values, ...kept } };
    for (const { settings } of states) expect(settings).toMatchObject(expected);
    await Promise.all([older.closeReplica(), newer.closeReplica()]);

    // The old reader is then upgraded, and receives what it did not know.
    const resets = resetsOf(folder.file('replica.db'));
    await newer.openReplica(folder.file('replica.db'));
    const last = await newer.replica(GUILD, OTHER_GUILD);
    expect(last.settings).toMatchObject(expected);
    await newer.reaches(revision + 1);
    await newer.closeReplica();
    expect(resetsOf(folder.file('replica.db'))).toBe(resets);
    for (const { guild, after } of [...states, last].flatMap((state) => state.changed)) {
      if (guild === GUILD) expect(after.prefix).not.toBe('!');
      else expect(after.enabledFeatures).toEqual(['a', 'b']);
    }
  });
});
