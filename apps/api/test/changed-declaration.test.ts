import { type Guild, versionIn } from '@guild-settings/contract';
import { type Declaration, isSameValue, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { waitUntil } from '@guild-settings/testing';
import { settingsFile, startApi, type TestApi } from '@guild-settings/testing/api';
import { anyGuild } from '@guild-settings/testing/arbitraries';
import { IDS } from '@guild-settings/testing/people';
import { follow, ofType, openWatch } from '@guild-settings/testing/streams';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const { guild, otherGuild } = IDS;
const label = { 'en-US': 'A label' };
const [ROLE, OTHER_ROLE] = ['381870553235193858', '381870553235193859'];

type Settings = NonNullable<Declaration['settings']>;

interface Deployment extends AsyncDisposable {
  readonly api: TestApi;
  declare(settings: Settings): Promise<void>;
}

async function deployment(settings: Settings): Promise<Deployment> {
  const file = settingsFile({ settings });
  const api = await startApi({ SETTINGS_FILE: file.path });
  return {
    api,
    async declare(next) {
      file.write({ settings: next });
      await api.restart({ SETTINGS_FILE: file.path });
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      file[Symbol.dispose]();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly custom?: Readonly<Record<string, unknown>>;
  readonly changes?: object;
  readonly issues?: readonly string[];
  readonly body: Record<string, unknown>;
}

async function answer(response: Response): Promise<Answer> {
  const sent = (await response.json()) as Record<string, never>;
  const { result, error } = sent as { result?: { data: object }; error?: { data: { problem: object } } };
  const body = (result?.data ?? error?.data.problem ?? sent) as Record<string, never>;
  const { custom, changes, issues } = body as {
    custom?: Record<string, unknown>;
    changes?: object;
    issues?: { pointer: string; message: string }[];
  };
  const found = issues?.map(({ pointer, message }) => `${pointer}: ${message}`);
  return {
    status: response.status,
    body,
    ...(custom && { custom }),
    ...(changes && { changes }),
    ...(found && { issues: found }),
  };
}

const patch = async (api: TestApi, custom: object, sent = {}) => answer(await api.patch(guild, { custom }, sent));
const patchOverTrpc = async (api: TestApi, custom: object) =>
  answer(await api.call('guilds.update', { guild, custom }));
const read = async (api: TestApi, path = '') => answer(await api.get(`${guild}${path}`));
const post = async (api: TestApi, path: string, body?: object, token = api.tokens.manager) =>
  answer(await api.send(path, { method: 'POST', token, body }));
const importing = (api: TestApi, custom: object, from = guild) =>
  post(api, `/guilds/${guild}/import`, { version: 1, guild: from, settings: { custom } });
const importingRow = async (api: TestApi, custom: object) => {
  const { body } = await post(api, '/imports', { guilds: [{ guild, settings: { custom } }] }, api.tokens.application);
  const [row] = body.guilds as { changes?: object; problem?: { issues: { pointer: string }[] } }[];
  return row?.changes ?? row?.problem?.issues.map(({ pointer }) => pointer);
};
const undo = (api: TestApi, revision: number) => post(api, `/guilds/${guild}/history/${revision}/undo`);
const restore = (api: TestApi, revision: number) => post(api, `/guilds/${guild}/restore`, { revision });
const history = async (api: TestApi, query = '') => {
  const { body } = await read(api, `/history${query}`);
  return (body.entries as { changes: object }[]).map(({ changes }) => changes);
};

describe('a renamed setting', () => {
  const before = { muteRole: { kind: 'role', label }, other: { kind: 'switch', label } } as const;
  const renamed = { mutedRole: { ...before.muteRole, was: 'muteRole' }, other: before.other } as const;
  const renamedTwice = {
    silenced: { ...before.muteRole, was: ['muteRole', 'mutedRole'] },
    other: before.other,
  } as const;

  test('keeps its value, and is shown by its new name in records, histories, undos, restores and exports', async () => {
    await using world = await deployment(before);
    const { api } = world;
    await patch(api, { muteRole: ROLE });
    await world.declare(renamed);
    expect((await read(api)).custom).toEqual({ mutedRole: ROLE, other: false });
    expect((await read(api, '?at=1')).custom).toEqual({ mutedRole: ROLE, other: false });
    expect(await history(api)).toEqual([{ 'custom.mutedRole': { from: '', to: ROLE } }]);
    const { body } = await read(api, '/history/1');
    expect(body.changes).toEqual({ 'custom.mutedRole': { from: '', to: ROLE } });
    expect((await undo(api, 1)).custom).toEqual({ mutedRole: '', other: false });
    expect((await restore(api, 1)).custom).toEqual({ mutedRole: ROLE, other: false });
    const exported = await read(api, '/export?history=true');
    expect(exported.body).toMatchObject({ settings: { custom: { mutedRole: ROLE } } });
    expect(JSON.stringify(exported.body)).not.toContain('muteRole');
    // A second name, and then the first one again.
    await world.declare(renamedTwice);
    expect((await read(api)).custom).toEqual({ silenced: ROLE, other: false });
    expect((await history(api)).map((changes) => Object.keys(changes))).toEqual([
      ['custom.silenced'],
      ['custom.silenced'],
      ['custom.silenced'],
    ]);
    await world.declare(before);
    expect((await read(api)).custom).toEqual({ muteRole: ROLE, other: false });
  });

  test('is taken by each of its names in changes and imports, and found by each in a history', async () => {
    await using world = await deployment(renamedTwice);
    const { api } = world;
    for (const [at, name] of ['silenced', 'mutedRole', 'muteRole'].entries()) {
      const role = `${ROLE.slice(0, -1)}${at}`;
      expect((await patch(api, { [name]: role })).custom?.silenced).toBe(role);
      expect((await patchOverTrpc(api, { [name]: OTHER_ROLE })).custom?.silenced).toBe(OTHER_ROLE);
      expect((await importing(api, { [name]: role })).changes).toEqual({
        'custom.silenced': { from: OTHER_ROLE, to: role },
      });
      expect(await importingRow(api, { [name]: null })).toEqual({ 'custom.silenced': { from: role, to: '' } });
      expect(await history(api, `?field=custom.${name}&limit=1`)).toEqual([
        { 'custom.silenced': { from: role, to: '' } },
      ]);
    }
    expect(await history(api, '?field=custom.mutedRole')).toHaveLength(12);
    expect(await history(api, '?field=custom.other')).toEqual([]);
  });

  test('is refused with two of its names, and what is wrong is named where it was sent', async () => {
    await using world = await deployment(renamedTwice);
    const { api } = world;
    const twice = (former: string, pointer: string) =>
      `${pointer}/${former}: expected one name of the setting: ${former} is a former name of silenced`;
    const both = { muteRole: '', silenced: ROLE, mutedRole: ROLE, other: 1 };
    const issues = ['/custom/other: expected true or false, received 1'];
    const expected = [twice('muteRole', '/custom'), twice('mutedRole', '/custom')];
    for (const refused of [await patch(api, both), await patchOverTrpc(api, both)]) {
      expect([refused.status, refused.issues]).toEqual([400, expect.arrayContaining([...issues, ...expected])]);
    }
    expect((await patch(api, { muteRole: '', mutedRole: ROLE })).issues).toEqual([twice('muteRole', '/custom')]);
    expect((await importing(api, { silenced: ROLE, muteRole: ROLE })).issues).toEqual([
      twice('muteRole', '/settings/custom'),
    ]);
    expect(await importingRow(api, { silenced: ROLE, muteRole: ROLE })).toEqual(['/settings/custom/muteRole']);
    expect((await patch(api, { muteRole: 'none' })).issues?.[0]).toMatch(/^\/custom\/muteRole: expected a Discord id/);
    expect((await patch(api, { mutedRole: guild })).issues?.[0]).toMatch(
      /^\/custom\/mutedRole: expected a role other than @everyone/,
    );
    expect(await importingRow(api, { muteRole: 'none' })).toEqual(['/settings/custom/muteRole']);
    expect((await read(api)).custom?.silenced).toBe('');
  });

  test('has its new name in conflicts, also of a request with an old one', async () => {
    await using world = await deployment(renamed);
    const { api } = world;
    await patch(api, { mutedRole: ROLE });
    await patch(api, { muteRole: OTHER_ROLE });
    const late = await patch(api, { muteRole: '' }, { headers: { 'if-match': '"1"' } });
    const conflicts = [{ field: 'custom.mutedRole', to: OTHER_ROLE }];
    expect([late.status, late.body]).toMatchObject([412, { conflicts }]);
    expect((await undo(api, 1)).body).toMatchObject({ status: 409, conflicts });
  });

  test('is left out of an import by the name that the document has', async () => {
    await using world = await deployment({ mutedRole: { ...renamed.mutedRole, setBy: 'application' } });
    const { api } = world;
    expect((await importing(api, { muteRole: ROLE })).body.skipped).toMatchObject([
      { field: 'muteRole', pointer: '/settings/custom/muteRole', reason: 'reserved' },
    ]);
    expect((await patch(api, { muteRole: ROLE })).body).toMatchObject({
      status: 403,
      issues: [{ pointer: '/custom/muteRole' }],
    });
    expect((await importing(api, { muteRole: ROLE }, otherGuild)).body.skipped).toMatchObject([
      { pointer: '/settings/custom/muteRole', reason: 'other-guild', detail: expect.stringMatching(/^The role/) },
    ]);
  });

  test('is in events of the watch by each of its names, with its kind, and in those of the page by the new one', async () => {
    await using world = await deployment(before);
    const { api } = world;
    await patch(api, { muteRole: ROLE });
    await world.declare(renamed);
    const stream = await follow(api);
    const watch = await openWatch(api.url, api.tokens.application, { accepts: ['declaration', 'guild', 'live'] });
    await waitUntil(() => watch.events.some(({ type }) => type === 'live'));
    await patch(api, { muteRole: OTHER_ROLE });
    const records = () => watch.events.flatMap((event) => (event.type === 'guild' ? [event.guild.custom] : []));
    await waitUntil(() => ofType(stream, 'changed').length === 1 && records().length === 2);
    stream.close();
    watch.close();
    const role = { kind: 'role', label: {} };
    expect(watch.events[0]).toMatchObject({
      type: 'declaration',
      declaration: { settings: { mutedRole: { ...role, was: 'muteRole' }, muteRole: role } },
    });
    expect(records()).toEqual([
      { mutedRole: ROLE, muteRole: ROLE },
      { mutedRole: OTHER_ROLE, muteRole: OTHER_ROLE },
    ]);
    expect(ofType(stream, 'changed')[0]).toMatchObject({
      changes: { 'custom.mutedRole': { from: ROLE, to: OTHER_ROLE } },
      guild: { custom: { mutedRole: OTHER_ROLE, other: false } },
    });
  });

  test('is in the OpenAPI document by its new name', async () => {
    await using world = await deployment(renamed);
    const document = await (await world.api.send('/openapi.json')).text();
    expect([document.includes('mutedRole'), document.includes('muteRole')]).toEqual([true, false]);
  });
});

describe('a widened setting', () => {
  test('of one value is a list with it, everywhere and at every time, and is written as one when it changes', async () => {
    await using world = await deployment({ staff: { kind: 'role', label } });
    const { api } = world;
    await patch(api, { staff: ROLE });
    await patch(api, { staff: '' });
    await patch(api, { staff: ROLE });
    await world.declare({ staff: { kind: 'role', many: { max: 3 }, label } });
    const stream = await openWatch(api.url, api.tokens.application, { accepts: ['guild', 'live', 'declaration'] });
    await waitUntil(() => stream.events.some(({ type }) => type === 'live'));
    stream.close();
    expect(stream.events).toContainEqual(
      expect.objectContaining({ guild: expect.objectContaining({ custom: { staff: [ROLE] } }) }),
    );
    expect((await read(api)).custom).toEqual({ staff: [ROLE] });
    expect((await read(api, '?at=2')).custom).toEqual({ staff: [] });
    expect(await history(api)).toEqual([
      { 'custom.staff': { from: [], to: [ROLE] } },
      { 'custom.staff': { from: [ROLE], to: [] } },
      { 'custom.staff': { from: [], to: [ROLE] } },
    ]);
    const etag = (await api.get(guild)).headers.get('etag');
    expect((await api.patch(guild, { custom: { staff: [ROLE] } })).headers.get('etag')).toBe(etag);
    expect((await patch(api, { staff: [ROLE, OTHER_ROLE] })).custom).toEqual({ staff: [ROLE, OTHER_ROLE] });
    expect((await restore(api, 2)).custom).toEqual({ staff: [] });
    expect((await restore(api, 1)).custom).toEqual({ staff: [ROLE] });
    expect((await undo(api, 6)).custom).toEqual({ staff: [] });
    expect((await undo(api, 5)).custom).toEqual({ staff: [ROLE, OTHER_ROLE] });
    expect((await undo(api, 4)).custom).toEqual({ staff: [ROLE] });
    expect((await undo(api, 3)).custom).toEqual({ staff: [] });
  });

  test('is not kept by caches in a past record, which depends on the declaration', async () => {
    await using world = await deployment({ staff: { kind: 'role', label } });
    const { api } = world;
    const isOther = (one: Guild) =>
      SPECIFIED_SETTINGS.all.every((setting) => !isSameValue(one[setting.name as 'prefix'], setting.default));
    const [{ id: _, name: __, icon: ___, ...settings } = {}] = fc.sample(anyGuild.filter(isOther), {
      numRuns: 1,
      seed: 1,
    });
    await api.patch(guild, { ...settings, custom: { staff: ROLE } });
    await patch(api, { staff: OTHER_ROLE });
    const caching = async () => {
      const at = (parameters: string) => api.send(`/guilds/${guild}?at=1${parameters}`, { token: api.tokens.manager });
      const { epoch } = versionIn((await at('')).headers.get('etag') ?? '') ?? {};
      return (await at(`&epoch=${epoch}`)).headers.get('cache-control');
    };
    expect(await caching()).toContain('immutable');
    await world.declare({ staff: { kind: 'role', many: { max: 3 }, label } });
    expect(await caching()).toBe('private, no-cache');
  });

  test('of integers has numbers, also in lists and in columns', async () => {
    const range = { min: 0, max: 9, label } as const;
    await using world = await deployment({
      rate: { kind: 'integer', ...range, default: 1 },
      rates: { kind: 'integer', ...range, many: { max: 3 } },
      levels: {
        kind: 'table',
        max: 3,
        columns: { at: { kind: 'integer', ...range }, gone: { kind: 'role', label } },
        label,
      },
    });
    const { api } = world;
    await patch(api, { rate: 5, rates: [1, 2], levels: [{ at: 3, gone: ROLE }] });
    const number = { kind: 'number', decimals: 1, ...range } as const;
    await world.declare({
      rate: { ...number, default: 1 },
      rates: { ...number, many: { max: 3 } },
      levels: {
        kind: 'table',
        max: 3,
        columns: { at: number, reply: { kind: 'text', max: 9, default: 'Hi', label } },
        label,
      },
    });
    const custom = { rate: 5, rates: [1, 2], levels: [{ at: 3, reply: 'Hi' }] };
    expect((await read(api)).custom).toEqual(custom);
    expect((await read(api, '?at=1')).custom).toEqual(custom);
    expect(await history(api)).toMatchObject([{ 'custom.levels': { to: [{ at: 3, reply: 'Hi' }] } }]);
    const changed = { rate: 1.5, rates: [1.5], levels: [{ at: 1.5, reply: 'Hi' }] };
    expect((await patch(api, { ...changed, levels: [{ at: 1.5 }] })).custom).toEqual(changed);
    expect((await undo(api, 2)).custom).toEqual(custom);
  });
});

describe('a start with a declaration by which values would be lost', () => {
  const role = { kind: 'role', label } as const;
  const table = (columns: object) => ({ kind: 'table', max: 3, columns, label }) as Settings[string];
  const [count, text] = [{ kind: 'integer', min: 0, max: 9, label } as const, { kind: 'text', max: 9, label } as const];

  test.each<[string, object, Settings, Settings, string | undefined]>([
    [
      'a list',
      { a: [ROLE] },
      { a: { ...role, many: { max: 2 } } },
      { a: role },
      'custom.a: was list of role, is role, set in 1 guild',
    ],
    [
      'another kind',
      { a: ROLE },
      { a: role },
      { a: text },
      'custom.a: was role, is text, set in 1 guild. Declare it as it was',
    ],
    [
      'a column of another kind',
      { a: [{ x: 1 }] },
      { a: table({ x: count }) },
      { a: table({ x: text }) },
      'custom.a: was table(x: integer), is table(x: text), set in 1 guild',
    ],
    [
      'a renamed one of another kind',
      { a: ROLE },
      { a: role },
      { b: { ...text, was: 'a' } },
      'custom.b: was role, is text, set in 1 guild',
    ],
    [
      'a rename that is taken back by half',
      { b: ROLE },
      { b: { ...role, was: 'a' } },
      { b: role },
      "custom.b: its values are stored as custom.a, set in 1 guild. Declare was: 'a', or another name",
    ],
    [
      'the last name alone',
      { b: ROLE },
      { b: { ...role, was: 'a' } },
      { c: { ...role, was: 'b' } },
      "custom.c: its values are stored as custom.a, set in 1 guild. Declare was: ['a', 'b'], or another name",
    ],
    [
      'values of the new name',
      { b: ROLE },
      { b: role },
      { b: { ...role, was: 'a' } },
      'custom.b: its values are stored as custom.b, set in 1 guild. Declare it without was',
    ],
    [
      'nothing that is set',
      {},
      { a: { ...role, many: { max: 2 } }, b: role },
      { a: role, c: { ...text, was: 'b' } },
      undefined,
    ],
    ['another order of names', { a: ROLE }, { a: role }, { b: { ...role, was: ['a', 'z'] } }, undefined],
  ])('is refused for %s, with the way out', async (_, custom, settings, next, line) => {
    await using world = await deployment(settings);
    await patch(world.api, custom);
    const started = world.declare(next);
    if (line === undefined) await started;
    else await expect(started).rejects.toThrow(line);
    // The earlier service can start again.
    await world.declare(settings);
    expect((await read(world.api)).custom).toMatchObject(custom);
  });

  test('is refused for a column that is back with another kind, whose cells are still there', async () => {
    await using world = await deployment({ a: table({ x: count, y: count }) });
    await patch(world.api, { a: [{ x: 1, y: 2 }] });
    await world.declare({ a: table({ x: count }) });
    await expect(world.declare({ a: table({ x: count, y: text }) })).rejects.toThrow(
      'custom.a: was table(x: integer, y: integer), is table(x: integer, y: text), set in 1 guild',
    );
    await world.declare({ a: table({ x: count, y: count }) });
    expect((await read(world.api)).custom).toEqual({ a: [{ x: 1, y: 2 }] });
  });
});
