import { readFileSync } from 'node:fs';
import { DEFAULT_SETTINGS, EXPORT_SCHEMA_PATH, type GuildExport, ImportResult, LIMITS } from '@guild-settings/contract';
import { problemIn, revisionIn, sharedApi, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';

const { guild, otherGuild } = IDS;

const SETTINGS = {
  prefix: '?',
  announcement_channel: '381870553235193857',
  beta: true,
  language: 'ja',
  enabledFeatures: ['reminders', 'polls'],
};

const PUBLISHED = new URL(`../../../packages/contract${EXPORT_SCHEMA_PATH}`, import.meta.url);
const validate = new Ajv2020({ unicodeRegExp: true, validateFormats: false }).compile(
  JSON.parse(readFileSync(PUBLISHED, 'utf8')),
);

async function exportFrom(api: TestApi, query = '', id: string = guild) {
  const response = await api.send(`/guilds/${id}/export${query}`, { token: api.tokens.manager });
  const document: unknown = await response.json();
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  return document as GuildExport;
}

const importInto = (api: TestApi, id: string, body: unknown, query = '', headers: Record<string, string> = {}) =>
  api.send(`/guilds/${id}/import${query}`, { method: 'POST', token: api.tokens.manager, body, headers });

const resultOf = async (response: Response) => ImportResult.parse(await response.json());

describe('an export', () => {
  const shared = sharedApi();

  test('is a document of the published schema, with the settings and the revision', async () => {
    const api = shared();
    const patched = await api.patch(guild, SETTINGS);
    expect(await exportFrom(api)).toEqual({
      $schema: EXPORT_SCHEMA_PATH,
      version: 1,
      guild,
      name: 'Discord Testers',
      revision: revisionIn(patched),
      exportedAt: new Date(api.clock.now).toISOString(),
      settings: { ...DEFAULT_SETTINGS, ...SETTINGS },
    });
  });

  test('of a guild without changes has the defaults, and an empty history', async () => {
    expect(await exportFrom(shared(), '?history=true', IDS.bigGuild)).toMatchObject({
      revision: 0,
      settings: DEFAULT_SETTINGS,
      history: { entries: [], complete: true },
    });
  });

  test('has the history, the newest change first, if it is requested', async () => {
    const api = shared();
    for (const prefix of ['1', '2', '3']) await api.patch(otherGuild, { prefix });
    const { history, revision } = await exportFrom(api, '?history=true', otherGuild);
    expect(history).toMatchObject({ complete: true });
    expect(history?.entries.map(({ changes }) => changes.prefix?.to)).toEqual(['3', '2', '1']);
    expect(history?.entries[0]?.revision).toBe(revision);
  });
});

test('an export of a long history is bounded, says where it goes on, and can be imported as it is', async () => {
  await using api = await startApi({ LOG_LEVEL: 'error' });
  const large = (n: number) => Array.from({ length: 64 }, (_, index) => `${n}.${index}`.padEnd(64, '漢'));
  for (let n = 0; n < 32; n += 1) await api.patch(guild, { enabledFeatures: large(n) });
  const document = await exportFrom(api, '?history=true');
  const bytes = Buffer.byteLength(JSON.stringify(document));
  expect(bytes).toBeGreaterThan(LIMITS.exportedHistoryBytes / 2);
  expect(bytes).toBeLessThan(LIMITS.exportedHistoryBytes + LIMITS.bodyBytes);
  const { entries, complete, next = '' } = document.history ?? { entries: [] };
  expect(complete).toBe(false);
  const rest = await api.send(next, { token: api.tokens.manager });
  const { entries: older } = (await rest.json()) as { entries: { revision: number }[] };
  expect([...entries, ...older].map(({ revision }) => revision)).toEqual(Array.from({ length: 32 }, (_, n) => 32 - n));
  const pretty = JSON.stringify(document, null, 2);
  const again = await importInto(api, guild, pretty, '', { 'content-type': 'application/json' });
  expect(await resultOf(again)).toMatchObject({
    changes: {},
    skipped: [{ field: 'access' }, { field: 'history', reason: 'history' }],
  });
});

test('the schema of exports is served without credentials, as it is published', async ({ api }) => {
  const response = await api.send(EXPORT_SCHEMA_PATH);
  expect(response.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
  expect(await response.text()).toBe(readFileSync(PUBLISHED, 'utf8'));
});

describe('an import', () => {
  test('into another guild leaves the channel alone, names it, and takes over that there is none', async ({ api }) => {
    await api.patch(guild, SETTINGS);
    await api.patch(otherGuild, { announcement_channel: '381870553235193999' });
    const response = await importInto(api, otherGuild, await exportFrom(api));
    expect(await resultOf(response)).toMatchObject({
      skipped: [
        {
          field: 'announcement_channel',
          pointer: '/settings/announcement_channel',
          value: SETTINGS.announcement_channel,
          reason: 'other-guild',
        },
      ],
      guild: { ...SETTINGS, id: otherGuild, announcement_channel: '381870553235193999' },
    });
    await api.patch(guild, { announcement_channel: '' });
    const without = await importInto(api, otherGuild, await exportFrom(api));
    expect(await resultOf(without)).toMatchObject({ skipped: [], guild: { announcement_channel: '' } });
  });

  test('keeps settings that the document does not have, and names fields that are unknown', async ({ api }) => {
    await api.patch(guild, SETTINGS);
    const response = await importInto(api, guild, {
      version: 1,
      guild,
      theme: 'dark',
      settings: { prefix: '#', colour: { red: 1 }, constructor: 'x' },
    });
    const { skipped, guild: record } = await resultOf(response);
    expect(record).toMatchObject({ ...SETTINGS, prefix: '#' });
    expect(skipped.map(({ pointer, value, reason }) => [pointer, value, reason])).toEqual([
      ['/theme', 'dark', 'unknown-field'],
      ['/settings/colour', { red: 1 }, 'unknown-field'],
      ['/settings/constructor', 'x', 'unknown-field'],
    ]);
  });

  const shared = sharedApi();
  const document = { version: 1, guild, settings: { prefix: '#' } };

  test.each<[string, unknown, string[]]>([
    ['wrong values', { ...document, settings: { beta: 'no', prefix: ' x' } }, ['/settings/beta', '/settings/prefix']],
    ['a later version', { ...document, version: 2 }, ['/version']],
    ['a document without its guild', { version: 1, settings: {} }, ['/guild']],
    ['a document without settings', { version: 1, guild }, ['/settings']],
    ['a record', { id: guild, prefix: '#' }, ['/guild', '/settings', '/version']],
    [
      'more unknown fields than it would name',
      { ...document, ...Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`f${n}`, n])) },
      [''],
    ],
  ])('refuses %s, over both transports, and changes nothing', async (_name, body, pointers) => {
    const api = shared();
    const overRest = await problemIn(await importInto(api, guild, body));
    const called = await api.call('guilds.import', { guild, document: body });
    const { error } = (await called.json()) as { error: { data: { problem: typeof overRest } } };
    const found = (problem: typeof overRest) => problem.issues?.map(({ pointer }) => pointer).sort();
    expect(found(overRest)).toEqual(pointers);
    expect(found(error.data.problem)).toEqual(pointers.map((pointer) => `/document${pointer}`));
    expect(readChanges(api)).toEqual([]);
  });

  test('over two mebibytes is refused, and what is not for the caller is refused before it is read', async () => {
    const api = shared();
    const huge = { ...document, history: 'x'.repeat(LIMITS.importBytes) };
    expect((await importInto(api, guild, huge)).status).toBe(413);
    const forbidden = await importInto(api, guild, huge, '', { authorization: `Bearer ${api.tokens.plain}` });
    expect(forbidden.status).toBe(403);
  });

  test('over tRPC takes a history from the application, and from a manager at most 16 KiB', async () => {
    const api = shared();
    const input = { guild, dry_run: true, document: { ...document, history: 'x'.repeat(20_000) } };
    const call = (token: string) => api.call('guilds.import', input, { token });
    expect((await call(api.tokens.application)).status).toBe(200);
    expect((await call(api.tokens.manager)).status).toBe(413);
  });
});
