import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { waitUntil } from '@guild-settings/testing';
import { problemIn, revisionTagIn, settingsFile, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { follow, ofType } from '@guild-settings/testing/streams';
import { describe, expect } from 'vitest';

const { guild, otherGuild } = IDS;
const label = { 'en-US': 'A label' };

const DECLARATION = defineSettings({
  settings: {
    welcomeOn: { kind: 'switch', default: false, label },
    welcomeMessage: { kind: 'text', lines: 'many', max: 2_000, default: 'Welcome, {user}!', label },
    modLogChannel: { kind: 'channel', label },
    autoRoles: { kind: 'role', many: { max: 3 }, label },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, label },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label },
    logLevel: { kind: 'choice', choices: { off: label, all: label }, default: 'off', label },
    premium: { kind: 'switch', default: false, setBy: 'application', label },
  },
});

const DEFAULTS = {
  welcomeOn: false,
  welcomeMessage: 'Welcome, {user}!',
  modLogChannel: '',
  autoRoles: [],
  xpRate: 5,
  cooldown: 60,
  logLevel: 'off',
  premium: false,
};

interface Deployment extends AsyncDisposable {
  readonly api: TestApi;
  /** Restarts the service with another declaration; undefined: without one. */
  declare(declaration: Declaration | undefined): Promise<void>;
}

async function deployment(declaration: Declaration = DECLARATION): Promise<Deployment> {
  const file = settingsFile(declaration);
  const api = await startApi({ SETTINGS_FILE: file.path });
  return {
    api,
    async declare(next) {
      if (next !== undefined) file.write(next);
      await api.restart({ SETTINGS_FILE: next === undefined ? undefined : file.path });
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      file[Symbol.dispose]();
    },
  };
}

const settings = (changed: object) =>
  ({ ...DECLARATION, settings: { ...DECLARATION.settings, ...changed } }) as Declaration;

async function customOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { custom?: unknown }).custom;
}

async function pointersOf(response: Response): Promise<readonly string[]> {
  const { issues = [] } = (await response.json()) as { issues?: { pointer: string }[] };
  return issues.map(({ pointer }) => pointer);
}

describe('a record', () => {
  test('has one more field after the specified ones, with every declared name in declared order and without null', async () => {
    await using world = await deployment();
    const record = (await (await world.api.get(guild)).json()) as object;
    expect(Object.keys(record).slice(3)).toEqual([...Object.keys(DEFAULT_SETTINGS), 'custom']);
    expect(JSON.stringify(record).endsWith(`"custom":${JSON.stringify(DEFAULTS)}}`)).toBe(true);
  });

  test('that is sent back as it was read changes nothing, also with a value that is no longer valid', async () => {
    await using world = await deployment();
    await world.api.patch(guild, { custom: { xpRate: 90, logLevel: 'all', autoRoles: [IDS.manager, IDS.owner] } });
    await world.declare(
      settings({
        xpRate: { kind: 'integer', min: 0, max: 10, default: 5, label },
        logLevel: { kind: 'choice', choices: { off: label }, default: 'off', label },
        autoRoles: { kind: 'role', many: { max: 1 }, label },
      }),
    );
    const read = await world.api.get(guild);
    const record = await read.json();
    expect(record).toMatchObject({ custom: { xpRate: 90, logLevel: 'all' } });
    const sent = await world.api.patch(guild, record);
    expect([sent.status, sent.headers.get('etag')]).toEqual([200, read.headers.get('etag')]);
    expect(await sent.json()).toEqual(record);
    const changed = await world.api.patch(guild, { custom: { xpRate: 80, logLevel: 'all' } });
    expect([changed.status, await pointersOf(changed)]).toEqual([400, ['/custom/xpRate']]);
  });
});

describe('PATCH', () => {
  test('names every flaw at once, in custom and beside it', async () => {
    await using world = await deployment();
    const custom = {
      unknown: 1,
      xpRate: 101,
      cooldown: '1h',
      logLevel: 'some',
      welcomeMessage: 'a\u0007',
      autoRoles: ['1'],
    };
    const response = await world.api.patch(guild, { prefix: ' x', colour: 1, custom });
    expect(response.status).toBe(400);
    expect((await pointersOf(response)).toSorted()).toEqual([
      '/colour',
      '/custom/autoRoles/0',
      '/custom/cooldown',
      '/custom/logLevel',
      '/custom/unknown',
      '/custom/welcomeMessage',
      '/custom/xpRate',
      '/prefix',
    ]);
    expect((await world.api.patch(guild, { custom: null })).status).toBe(400);
    expect((await world.api.patch(guild, { custom: [] })).status).toBe(400);
    expect((await world.api.patch(guild, { custom: { __proto__: null, constructor: 1 } })).status).toBe(400);
  });

  test('takes text of many lines, and ids digit for digit', async () => {
    await using world = await deployment();
    const custom = { welcomeMessage: 'one\n\ttwo', modLogChannel: '381870553235193857' };
    expect(await customOf(await world.api.patch(guild, { custom }))).toMatchObject(custom);
    await world.declare(DECLARATION);
    expect(await customOf(await world.api.get(guild))).toMatchObject(custom);
  });
});

describe('an entity tag', () => {
  test('names the declaration: an old one is never 304, and passes as If-Match', async () => {
    await using world = await deployment();
    const { api } = world;
    const before = (await api.patch(guild, { prefix: '?' })).headers.get('etag') ?? '';
    expect(before).toMatch(/^"1-[0-9a-z]{10}[0-9a-f]{8}"$/);
    const read = (tag: string, more = {}) => api.get(guild, { headers: { 'if-none-match': tag, ...more } });
    expect((await read(before)).status).toBe(304);
    await world.declare(settings({ xpRate: { kind: 'integer', min: 0, max: 100, default: 6, label } }));
    for (const more of [{}, { origin: 'http://example.com' }]) {
      expect([(await read(before, more)).status, (await read('"1"', more)).status]).toEqual([200, 200]);
    }
    const matching = { headers: { 'if-match': before } };
    expect((await api.patch(guild, { beta: true }, matching)).status).toBe(200);
    const late = await api.patch(guild, { beta: false }, matching);
    expect([late.status, late.headers.get('etag')?.startsWith('"2-')]).toEqual([412, true]);
    await world.declare(undefined);
    expect(revisionTagIn(await api.get(guild))).toBe('"2"');
  });
});

describe('a set value', () => {
  test('of another kind stops the start, with the name, the number of guilds, and what to do', async () => {
    await using world = await deployment();
    await world.api.patch(guild, { custom: { xpRate: 7 } });
    await world.api.patch(otherGuild, { custom: { xpRate: 8 } }, { token: world.api.tokens.application });
    const other = settings({ xpRate: { kind: 'text', max: 10, label } });
    const refusal = world.declare(other);
    await expect(refusal).rejects.toThrow(/custom\.xpRate: was integer, is text, set in 2 guilds/);
    await world.declare(
      settings({ welcomeMessage: { kind: 'text', max: 50, label }, cooldown: { kind: 'text', max: 9, label } }),
    );
  });

  test('that does not have the type of its setting is served as the default, and counted', async () => {
    await using world = await deployment();
    await world.api.patch(guild, { custom: { xpRate: 7 } });
    await world.declare(undefined);
    const { xpRate: _, ...without } = DECLARATION.settings;
    // Written by a process that does not know kinds.
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(world.api.databasePath);
    db.prepare('UPDATE guilds SET settings = ?').run(JSON.stringify({ 'custom.xpRate': 'seven', prefix: 5 }));
    db.close();
    await world.declare({ settings: { ...without, xpRate: DECLARATION.settings.xpRate } });
    expect(await (await world.api.get(guild)).json()).toMatchObject({ prefix: '!', custom: { xpRate: 5 } });
    const metrics = await (await world.api.send('/metrics')).text();
    expect(metrics).toMatch(/settings_unfit_values_total\{setting="custom.xpRate"\} [1-9]/);
  });
});

describe('GET /settings', () => {
  test('is the declaration with its texts, without credentials, and 304 by its entity tag', async () => {
    await using world = await deployment();
    const { api } = world;
    const response = await api.send('/settings');
    const tag = response.headers.get('etag') ?? '';
    expect(await response.json()).toMatchObject({
      tag: expect.stringMatching(/^[0-9a-f]{8}$/),
      settings: DECLARATION.settings,
      defaults: { prefix: '!', enabledFeatures: [] },
    });
    expect((await api.send('/settings', { headers: { 'if-none-match': tag } })).status).toBe(304);
    const document = (await (await api.send('/openapi.json')).json()) as { paths: object };
    expect(document.paths).toHaveProperty('/settings');
  });
});

describe('the OpenAPI document of the deployment', () => {
  // Each response and event is checked against the document.
  test('describes custom wherever a record is: refusals, undo, previews, earlier records, exports and events', async () => {
    await using world = await deployment();
    const { api } = world;
    const stream = await follow(api);
    await api.patch(guild, { custom: { xpRate: 7, welcomeMessage: 'Hi' } });
    await api.patch(guild, { custom: { autoRoles: [IDS.manager] } });
    const body = { method: 'POST', token: api.tokens.manager };
    const late = await api.patch(guild, { custom: { xpRate: 8 } }, { headers: { 'if-match': '"1"' } });
    expect([late.status, await late.json()]).toMatchObject([412, { current: { custom: { xpRate: 7 } } }]);
    const undone = await api.send(`/guilds/${guild}/history/1/undo`, body);
    expect(await customOf(undone)).toMatchObject({ xpRate: 5, autoRoles: [IDS.manager] });
    const preview = await api.send(`/guilds/${guild}/restore?dry_run=true`, { ...body, body: { revision: 1 } });
    expect(await preview.json()).toMatchObject({ changes: { 'custom.xpRate': { from: 5, to: 7 } } });
    expect(await customOf(await api.get(`${guild}?at=1`))).toMatchObject({ xpRate: 7 });
    const read = { token: api.tokens.manager };
    const change = await api.send(`/guilds/${guild}/history/1`, read);
    expect(await change.json()).toMatchObject({ changes: { 'custom.xpRate': { from: 5, to: 7 } } });
    const exported = await (await api.send(`/guilds/${guild}/export`, read)).json();
    expect(exported).toMatchObject({ settings: { custom: { xpRate: 5 } } });
    const sent = { ...body, body: { version: 1, guild, settings: { custom: { xpRate: 9 } } } };
    const imported = await api.send(`/guilds/${guild}/import?dry_run=true`, sent);
    expect(await imported.json()).toMatchObject({ changes: { 'custom.xpRate': { from: 5, to: 9 } } });
    await waitUntil(() => ofType(stream, 'changed').length === 3);
    stream.close();
    expect(ofType(stream, 'guild')[0]?.guild.custom).toEqual(DEFAULTS);
    expect(ofType(stream, 'changed').map(({ guild: { custom } }) => custom?.xpRate)).toEqual([7, 7, 5]);
    const trpc = await api.call('guilds.get', { guild });
    expect(await trpc.json()).toMatchObject({ result: { data: { custom: { xpRate: 5 } } } });
    const lateOverTrpc = await api.call('guilds.update', { guild, beta: true }, { headers: { 'if-match': '"1"' } });
    expect(lateOverTrpc.status).toBe(412);
  });
});

test('an undo goes by what is set, and not by the values in effect, whose defaults may have changed since', async () => {
  await using world = await deployment();
  const { api } = world;
  const withDefault = (value: number) =>
    world.declare(settings({ xpRate: { kind: 'integer', min: 0, max: 100, default: value, label } }));
  const undo = async (revision: number) => {
    const path = `/guilds/${guild}/history/${revision}/undo`;
    const response = await api.send(path, { method: 'POST', token: api.tokens.manager });
    return [response.headers.get('etag')?.slice(0, 2), await customOf(response)];
  };
  await api.patch(guild, { custom: { xpRate: 9 } });
  await withDefault(6);
  // Undone twice: the second undo has no effect.
  for (let times = 0; times < 2; times += 1) expect(await undo(1)).toMatchObject(['"2', { xpRate: 6 }]);
  await api.patch(guild, { custom: { xpRate: 9 } });
  await withDefault(9);
  await api.patch(guild, { custom: { xpRate: null } });
  expect(await undo(4)).toMatchObject(['"5', { xpRate: 9 }]);
  await withDefault(1);
  expect(await customOf(await api.get(guild))).toMatchObject({ xpRate: 9 });
  // A value of the earlier kind of the setting is refused.
  await api.patch(guild, { custom: { xpRate: null } });
  await world.declare(settings({ xpRate: { kind: 'text', max: 10, label } }));
  const refused = await api.send(`/guilds/${guild}/history/6/undo`, { method: 'POST', token: api.tokens.manager });
  expect(await problemIn(refused)).toMatchObject({
    status: 400,
    issues: [{ pointer: '/custom/xpRate', message: 'expected a value of the kind "text"' }],
  });
});

test('a setting that is set by the application is 403 over undo, and a restore leaves it alone and names it', async () => {
  await using world = await deployment();
  const { api } = world;
  const token = api.tokens.application;
  await api.patch(guild, { custom: { premium: true } }, { token });
  await api.patch(guild, { custom: { xpRate: 7 } });
  const manager = { method: 'POST', token: api.tokens.manager };
  expect((await api.send(`/guilds/${guild}/history/1/undo`, manager)).status).toBe(403);
  const preview = await api.send(`/guilds/${guild}/restore?dry_run=true`, { ...manager, body: { revision: 0 } });
  expect(await preview.json()).toMatchObject({ changes: { 'custom.xpRate': { from: 7, to: 5 } } });
  const restored = await api.send(`/guilds/${guild}/restore`, { ...manager, body: { revision: 0 } });
  expect(await customOf(restored)).toEqual({ ...DEFAULTS, premium: true });
  const again = await api.send(`/guilds/${guild}/restore`, { ...manager, body: { revision: 1 } });
  expect(again.headers.get('skipped-settings')).toBe('custom.premium');
});
