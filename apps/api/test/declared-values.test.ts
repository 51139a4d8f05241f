import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { settingsFile, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { follow, ofType } from '@guild-settings/testing/streams';
import { describe, expect } from 'vitest';

const { guild, otherGuild } = IDS;
const label = { 'en-US': 'A label' };
const ROLE = '381870553235193858';

const DECLARATION = defineSettings({
  settings: {
    welcome: { kind: 'text', lines: 'many', max: 5, label },
    title: { kind: 'text', max: 9, label },
    words: { kind: 'text', max: 9, many: { max: 3 }, label },
    muteRole: { kind: 'role', label },
    autoRoles: { kind: 'role', many: { max: 3 }, label },
    xp: { kind: 'integer', min: 0, max: 9, default: 5, label },
    levels: { kind: 'table', max: 3, columns: { level: { kind: 'integer', min: 1, max: 9, label } }, label },
    premium: { kind: 'switch', setBy: 'application', label },
  },
  defaults: { prefix: '?', language: 'ja' },
});

async function declare({ restart }: TestApi, declaration: Declaration = DECLARATION): Promise<void> {
  using file = settingsFile(declaration);
  await restart({ SETTINGS_FILE: file.path });
}

interface Received {
  readonly status: number;
  readonly revision: number;
  readonly skipped: string | null;
  readonly body: Record<string, unknown>;
  readonly issues: readonly (readonly [pointer: string, message: string])[];
}

interface Errors {
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[];
  readonly error?: { readonly data?: { readonly problem?: Errors } };
}

async function received(response: Response): Promise<Received> {
  const body = (await response.json()) as Record<string, unknown> & Errors;
  const { issues = [] }: Errors = body.error?.data?.problem ?? body;
  return {
    status: response.status,
    revision: Number.parseInt(response.headers.get('etag')?.slice(1) ?? '', 10),
    skipped: response.headers.get('skipped-settings'),
    body,
    issues: issues.map(({ pointer, message }) => [pointer, message] as const),
  };
}

const patch = async (api: TestApi, body: object, options = {}) => received(await api.patch(guild, body, options));
const read = async (api: TestApi, query = '') => received(await api.get(`${guild}${query}`));
const post = async (api: TestApi, path: string, body?: object, options = {}) =>
  received(await api.send(path, { method: 'POST', token: api.tokens.manager, body, ...options }));
const call = async (api: TestApi, input: object) => received(await api.call('guilds.update', { guild, ...input }));
const importing = (api: TestApi, settings: object, { from = guild, query = '' } = {}) =>
  post(api, `/guilds/${guild}/import${query}`, { version: 1, guild: from, settings });
interface RowOptions {
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

const importingRow = async (api: TestApi, settings: object, { query = '', ...options }: RowOptions = {}) => {
  const token = api.tokens.application;
  const { body } = await post(api, `/imports${query}`, { guilds: [{ guild, settings }] }, { token, ...options });
  return (body.guilds as Record<string, unknown>[])[0];
};

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

describe('null of a specified setting', () => {
  const set = { prefix: '!', announcement_channel: '1', beta: true, language: 'ru', enabledFeatures: ['a'] };
  const toNull = Object.fromEntries(Object.keys(set).map((name) => [name, null]));
  const later: Declaration = {
    ...DECLARATION,
    defaults: { prefix: '$', announcement_channel: '2', beta: true, language: 'hi', enabledFeatures: ['b'] },
  };

  test.for([
    ['REST', patch],
    ['tRPC', call],
    ['an import', importing],
    ['an import into many guilds', importingRow],
  ] as const)('lets it follow later defaults, over %s', async ([, send], { api }) => {
    await declare(api);
    await patch(api, set);
    await send(api, toNull);
    expect((await read(api)).body).toMatchObject({ prefix: '?', language: 'ja', beta: false, enabledFeatures: [] });
    await declare(api, later);
    expect((await read(api)).body).toMatchObject(later.defaults as object);
  });

  test('unsets a value that is the default, once, and a value in effect stores nothing', async ({ api }) => {
    await declare(api);
    await patch(api, { prefix: '!' });
    await declare(api, { ...DECLARATION, defaults: { prefix: '!' } });
    expect((await patch(api, { prefix: '!', language: 'en-US' })).revision).toBe(1);
    expect((await patch(api, { prefix: null })).revision).toBe(2);
    expect((await patch(api, { prefix: null, beta: null })).revision).toBe(2);
    await declare(api, later);
    expect((await read(api)).body).toMatchObject({ prefix: '$', language: 'hi' });
  });

  test('is in the history and the events, and is undone and restored', async ({ api }) => {
    await declare(api);
    await patch(api, { prefix: '!' });
    const stream = await follow(api);
    await patch(api, { prefix: null });
    await expect
      .poll(() => ofType(stream, 'changed').map(({ changes }) => changes))
      .toEqual([{ prefix: { from: '!', to: '?' } }]);
    stream.close();
    expect((await post(api, `/guilds/${guild}/history/2/undo`)).body).toMatchObject({ prefix: '!' });
    expect((await post(api, `/guilds/${guild}/restore`, { revision: 2 })).body).toMatchObject({ prefix: '?' });
    await declare(api, later);
    expect((await read(api)).body).toMatchObject({ prefix: '$' });
    expect((await read(api, '?at=3')).body).toMatchObject({ prefix: '!' });
  });

  test('is taken where only defaults are declared, which has no custom', async ({ api }) => {
    await declare(api, { defaults: { prefix: '?' } });
    await patch(api, { prefix: '!' });
    expect(await patch(api, { prefix: null })).toMatchObject({ revision: 2, body: { prefix: '?' } });
    expect((await patch(api, { custom: {} })).issues).toEqual([['/custom', 'unknown field "custom"']]);
    const { body } = await importing(api, { prefix: null, custom: { xp: 1 } });
    expect(body).toMatchObject({ skipped: [{ field: 'custom', reason: 'unknown-field' }] });
  });

  test('is refused in what a guild is by Discord, and without a declaration', async ({ api }) => {
    await declare(api);
    expect((await patch(api, { id: null, name: null, icon: null })).issues.map(([pointer]) => pointer)).toEqual([
      '/id',
      '/name',
    ]);
    await api.restart({ SETTINGS_FILE: undefined });
    expect((await patch(api, toNull)).issues.map(([pointer]) => pointer)).toEqual(
      Object.keys(set).map((name) => `/${name}`),
    );
  });

  test('is in the document of the deployment, for requests alone', async ({ api }) => {
    await declare(api);
    const { body } = await received(await api.send('/openapi.json'));
    const { schemas } = body.components as {
      schemas: Record<'GuildPatch' | 'Guild' | 'ImportRow' | 'ImportDocument', Schema>;
    };
    const { GuildPatch, Guild, ImportRow, ImportDocument } = schemas;
    const takesNull = (schema: Schema | undefined) =>
      Object.keys(set).filter((name) => schema?.properties?.[name]?.anyOf?.some(({ type }) => type === 'null'));
    const requests = [GuildPatch, ImportRow.properties?.settings, ImportDocument.properties?.settings];
    expect(requests.map(takesNull)).toEqual(requests.map(() => Object.keys(set)));
    expect(takesNull(Guild)).toEqual([]);
  });
});

describe('the role @everyone', () => {
  const custom = { muteRole: guild, autoRoles: [ROLE, guild] };
  const reason = 'expected a role other than @everyone, whose id is that of the guild';
  const placesIn = (path: string) => [
    [`${path}/custom/muteRole`, reason],
    [`${path}/custom/autoRoles/1`, reason],
  ];

  test('is 400 with the place of each, over REST, tRPC and imports, and leaves all as it is', async ({ api }) => {
    await declare(api);
    expect(await patch(api, { custom, prefix: '!' })).toMatchObject({ status: 400, issues: placesIn('') });
    expect(await call(api, { custom })).toMatchObject({ status: 400, issues: placesIn('') });
    for (const query of ['', '?dry_run=true']) {
      const imported = await importing(api, { custom }, { query });
      expect(imported).toMatchObject({ status: 400, issues: placesIn('/settings') });
      expect(await importingRow(api, { custom }, { query })).toMatchObject({
        problem: { status: 400, issues: placesIn('/settings').map(([pointer, message]) => ({ pointer, message })) },
      });
    }
    expect((await read(api)).revision).toBe(0);
    expect((await patch(api, { custom: { muteRole: otherGuild } })).status).toBe(200);
  });

  test('is named beside all else that is invalid, before the revision is compared, and not in a document of another guild', async ({
    api,
  }) => {
    await declare(api);
    const headers = { 'if-match': '"7"' };
    const { status, issues } = await patch(api, { prefix: ' x', custom: { ...custom, xp: 10 } }, { headers });
    expect([status, issues.map(([pointer]) => pointer).toSorted()]).toEqual([
      400,
      ['/custom/autoRoles/1', '/custom/muteRole', '/custom/xp', '/prefix'],
    ]);
    const foreign = await importing(api, { custom }, { from: otherGuild });
    expect(foreign).toMatchObject({ status: 200, body: { changes: {} } });
  });

  test('of before is put back by an undo and a restore, and its record changes nothing when it is sent back', async ({
    api,
  }) => {
    const asChannels: Declaration = {
      settings: { muteRole: { kind: 'channel', label }, autoRoles: { kind: 'channel', many: { max: 3 }, label } },
    };
    await declare(api, asChannels);
    await patch(api, { custom });
    await patch(api, { custom: { muteRole: null, autoRoles: null } });
    await declare(api);
    expect((await post(api, `/guilds/${guild}/history/2/undo`)).body).toMatchObject({ custom });
    const { body } = await read(api);
    expect(await patch(api, body)).toMatchObject({ status: 200, revision: 3 });
    expect((await importing(api, { custom })).status).toBe(200);
    expect((await patch(api, { custom: { ...custom, xp: 6 } })).status).toBe(200);
    expect((await patch(api, { custom: { autoRoles: [guild] } })).issues).toEqual([['/custom/autoRoles/0', reason]]);
    await patch(api, { custom: { muteRole: null, autoRoles: null } });
    expect((await post(api, `/guilds/${guild}/restore`, { revision: 4 })).body).toMatchObject({ custom });
  });
});

describe('line breaks', () => {
  test.for([
    ['REST', patch],
    ['tRPC', call],
    ['an import', importing],
    ['an import into many guilds', importingRow],
  ] as const)('become line feeds where a text may have lines, over %s', async ([, send], { api }) => {
    await declare(api);
    // At its limit of five characters.
    await send(api, { custom: { welcome: 'a\r\nb\rc' } });
    expect((await read(api)).body).toMatchObject({ custom: { welcome: 'a\nb\nc' } });
    for (const welcome of ['a\r\nb\rc', 'a\nb\r\nc']) await send(api, { custom: { welcome } });
    expect((await read(api)).revision).toBe(1);
  });

  test('are named where a text has one line, and in lists', async ({ api }) => {
    await declare(api);
    const line = 'expected one line, received a line break';
    const values = { custom: { title: 'a\r\nb', words: ['a', 'b\rc', 'd\n'] }, prefix: 'a\r' };
    expect((await patch(api, values)).issues.toSorted()).toEqual([
      ['/custom/title', line],
      ['/custom/words/1', line],
      ['/custom/words/2', line],
      ['/prefix', line],
    ]);
    const unprintable = 'expected no control characters and well-formed Unicode';
    expect((await patch(api, { custom: { welcome: 'a\r\u0007' } })).issues).toEqual([['/custom/welcome', unprintable]]);
  });

  test('of a value that is too long now do not make it another one', async ({ api }) => {
    await declare(api);
    await patch(api, { custom: { welcome: 'a\nb\nc' } });
    const { settings } = DECLARATION;
    await declare(api, { settings: { ...settings, welcome: { ...settings.welcome, max: 2, default: '\r\n' } } });
    const sent = await patch(api, { custom: { welcome: 'a\r\nb\rc', xp: 6 } });
    expect(sent).toMatchObject({ status: 200, body: { custom: { welcome: 'a\nb\nc', xp: 6 } } });
    expect(await patch(api, { custom: { welcome: null } })).toMatchObject({ body: { custom: { welcome: '\n' } } });
  });
});

describe('a reserved setting in an import', () => {
  const detail = 'Only the application can change this setting.';
  const skipped = [{ field: 'premium', pointer: '/settings/custom/premium', value: true, reason: 'reserved', detail }];

  test.for(['', '?dry_run=true'])(
    'is left alone and named for a person%s, and the rest is imported',
    async (query, { api }) => {
      await declare(api);
      const token = api.tokens.application;
      await api.patch(otherGuild, { custom: { premium: true, xp: 7 } }, { token });
      const { body } = await received(await api.send(`/guilds/${otherGuild}/export`, { token }));
      const settings = body.settings as object;
      expect(await importing(api, settings, { from: otherGuild, query })).toMatchObject({
        status: 200,
        skipped: 'custom.premium',
        body: { changes: { 'custom.xp': { from: 5, to: 7 } }, skipped },
      });
      const headers = { 'x-on-behalf-of': IDS.manager };
      const imported = await importingRow(api, { ...settings, prefix: '!' }, { query, headers });
      expect(imported).toMatchObject({ changes: { prefix: { from: '?', to: '!' } }, skipped });
    },
  );

  test('is not named where it is as it was', async ({ api }) => {
    await declare(api);
    const { body } = await received(await api.send(`/guilds/${guild}/export`, { token: api.tokens.manager }));
    const settings = body.settings as object;
    expect(await importing(api, settings)).toMatchObject({ skipped: null, body: { changes: {}, skipped: [] } });
    const headers = { 'x-on-behalf-of': IDS.manager };
    expect(await importingRow(api, settings, { headers })).toEqual({ guild, changes: {} });
    expect((await importing(api, { custom: { premium: null } })).body).toMatchObject({ skipped: [] });
  });

  test('is imported by the application alone', async ({ api }) => {
    await declare(api);
    const [token, settings] = [api.tokens.application, { custom: { premium: true } }];
    const document = { version: 1, guild, settings };
    expect((await post(api, `/guilds/${guild}/import`, document, { token })).body).toMatchObject({
      guild: { custom: { premium: true } },
      skipped: [],
    });
    expect((await importing(api, { custom: { premium: null } })).body).toMatchObject({
      changes: {},
      skipped: [{ reason: 'reserved', value: null }],
    });
    expect(await importingRow(api, { custom: { premium: false } })).toMatchObject({
      changes: { 'custom.premium': { from: true, to: false } },
    });
  });
});

test('a table is reset by null, and a value that is no table is refused', async ({ api }) => {
  await declare(api);
  await patch(api, { custom: { levels: [{ level: 1 }] } });
  expect(await patch(api, { custom: { levels: null } })).toMatchObject({
    status: 200,
    body: { custom: { levels: [] } },
  });
  for (const levels of [[null], [1, null], {}, [[]], 'x'])
    expect(await patch(api, { custom: { levels } })).toMatchObject({ status: 400 });
});
