import { type HistoryEntry, LIMITS } from '@guild-settings/contract';
import {
  type AccessWorld,
  LET_IN,
  LIST,
  problemIn,
  ROLES,
  revisionTagIn,
  startAccess,
} from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { fixture } from '@guild-settings/testing/stores';
import { describe, expect, test as plainTest } from 'vitest';

const test = plainTest.extend<{ world: AccessWorld }>({ world: fixture(() => startAccess()) });

const { guild } = IDS;
const PATH = `/guilds/${guild}/access`;

const VIEWER = { subject: `user:${LET_IN.viewerByUser}`, level: 'viewer' } as const;
const EDITOR = { subject: `user:${LET_IN.editorByUser}`, level: 'editor' } as const;

async function historyOf({ api }: AccessWorld, query = ''): Promise<HistoryEntry[]> {
  const response = await api.send(`/guilds/${guild}/history${query}`, { token: api.tokens.manager });
  return ((await response.json()) as { entries: HistoryEntry[] }).entries;
}

const undo = (
  { api }: AccessWorld,
  revision: number,
  { token = api.tokens.manager, query = '', headers = {} }: { token?: string; query?: string; headers?: object } = {},
) => api.send(`/guilds/${guild}/history/${revision}/undo${query}`, { method: 'POST', token, headers: { ...headers } });

describe('the access list', () => {
  test('is empty, is replaced whole, and can be sent back as it was read', async ({ world }) => {
    const { api } = world;
    const read = () => api.send(PATH, { token: api.tokens.manager });
    const empty = await read();
    expect([revisionTagIn(empty), await empty.json()]).toEqual(['"0"', { entries: [] }]);
    const set = await world.setAccess(LIST);
    expect([set.status, revisionTagIn(set), await set.json()]).toEqual([200, '"1"', { entries: LIST }]);
    const list = await read();
    expect([revisionTagIn(list), await list.clone().json()]).toEqual(['"1"', { entries: LIST }]);
    const body = await list.json();
    expect(revisionTagIn(await api.send(PATH, { method: 'PUT', token: api.tokens.manager, body }))).toBe('"1"');
    const readIfOther = async (tag: string) =>
      (await api.send(PATH, { token: api.tokens.manager, headers: { 'if-none-match': tag } })).status;
    expect([await readIfOther(list.headers.get('etag') ?? ''), await readIfOther('"1"')]).toEqual([304, 200]);
  });

  test.each<[string, unknown, string]>([
    ['a subject twice', [VIEWER, { ...VIEWER, level: 'editor' }], '/entries/1/subject'],
    ['@everyone', [{ subject: `role:${guild}`, level: 'viewer' }], '/entries/0/subject'],
    ['a subject that is none', [{ subject: 'channel:80351110224678912', level: 'viewer' }], '/entries/0/subject'],
    ['a level that is none', [{ ...VIEWER, level: 'manager' }], '/entries/0/level'],
    ['an unknown field', [{ ...VIEWER, until: 'tomorrow' }], '/entries/0/until'],
    [
      'too many entries',
      Array.from({ length: LIMITS.accessEntries + 1 }, (_, index) => ({
        subject: `user:${80_351_110_224_670_000n + BigInt(index)}`,
        level: 'viewer',
      })),
      '/entries',
    ],
    ['no list', undefined, '/entries'],
  ])('with %s is refused with its place, and nothing is changed', async (_name, entries, pointer) => {
    await using world = await startAccess();
    const response = await world.setAccess(entries as typeof LIST);
    const { status, issues } = await problemIn(response);
    expect([status, issues?.map((issue) => issue.pointer)]).toEqual([400, [pointer]]);
    expect(await historyOf(world)).toEqual([]);
  });

  test('has an entity tag of its own: a list that was changed since is 412, and nothing is changed', async ({
    world,
  }) => {
    await world.setAccess([VIEWER]);
    const refused = await world.setAccess([EDITOR], { headers: { 'if-match': '"0"' } });
    expect([refused.status, revisionTagIn(refused)]).toEqual([412, '"1"']);
    expect(await problemIn(refused)).toMatchObject({ type: '/problems/revision-mismatch' });
    expect((await world.setAccess([EDITOR], { headers: { 'if-match': '"1"' } })).status).toBe(200);
  });

  test('leaves the revision of the guild as it is: a change of settings by an earlier one succeeds', async ({
    world,
  }) => {
    const { api } = world;
    const before = (await api.patch(guild, { beta: true })).headers.get('etag') ?? '';
    await world.setAccess(LIST);
    const read = await api.get(guild);
    expect(read.headers.get('etag')).toBe(before);
    const changed = await api.patch(guild, { prefix: '?' }, { headers: { 'if-match': before } });
    expect([changed.status, revisionTagIn(changed)]).toEqual([200, '"3"']);
    const past = await api.get(`${guild}?at=2`);
    expect([revisionTagIn(past), await past.json()]).toMatchObject(['"1"', { beta: true, prefix: '!' }]);
    const arrival = await api.send(`/guilds/${guild}/arrival?revision=2`, { token: api.tokens.manager });
    expect(await arrival.json()).toMatchObject({ revision: 1 });
  });

  test('of a guild that was never changed leaves it at its defaults', async ({ world }) => {
    await world.setAccess(LIST);
    const read = await world.api.get(guild);
    expect([revisionTagIn(read), await read.json()]).toMatchObject(['"0"', { prefix: '!' }]);
    expect((await world.api.get(`${guild}?at=1`)).status).toBe(200);
  });

  test('is in the history with its author and reason, as a change of its own kind', async ({ world }) => {
    const reason = 'Olga moderates now';
    await world.setAccess([VIEWER], { headers: { 'x-audit-log-reason': encodeURIComponent(reason) } });
    await world.setAccess([EDITOR]);
    await world.api.patch(guild, { beta: true });
    const [change, first] = await historyOf(world, '?kind=access');
    expect(change).toMatchObject({ revision: 2, changes: { access: { from: [VIEWER], to: [EDITOR] } } });
    expect(first).toMatchObject({
      kind: 'access',
      actor: { kind: 'user', id: IDS.manager },
      origin: 'rest',
      reason,
      changes: { access: { from: [], to: [VIEWER] } },
    });
    expect(await historyOf(world, '?field=access')).toHaveLength(2);
    expect(await historyOf(world, '?kind=settings')).toMatchObject([{ revision: 3, kind: 'settings' }]);
  });
});

describe('a change of the access list', () => {
  test('is undone by a manager, and made again; an editor may not undo it', async ({ world }) => {
    await world.setAccess([EDITOR]);
    await world.setAccess([VIEWER, EDITOR]);
    expect((await undo(world, 2, { token: world.tokens.editorByUser })).status).toBe(403);
    const preview = await undo(world, 2, { query: '?dry_run=true' });
    expect(await preview.json()).toEqual({
      revision: 0,
      changes: { access: { from: [VIEWER, EDITOR], to: [EDITOR] } },
    });
    const foreign = { query: '?dry_run=true', headers: { 'if-match': '"9"' } };
    expect((await undo(world, 2, foreign)).status).toBe(412);
    const undone = await undo(world, 2);
    expect([undone.status, await undone.json()]).toMatchObject([200, { id: guild, prefix: '!' }]);
    expect((await world.api.get(guild, { token: world.tokens.viewerByUser })).status).toBe(403);
    expect((await historyOf(world))[0]).toMatchObject({ revision: 3, origin: 'undo', undoes: 2, kind: 'access' });
    expect((await undo(world, 2)).status).toBe(200);
    expect(await historyOf(world)).toHaveLength(3);
    expect((await undo(world, 3)).status).toBe(200);
    expect((await world.api.get(guild, { token: world.tokens.viewerByUser })).status).toBe(200);
  });

  test('is not undone over a later one to the same list, nor after an erasure of the guild', async ({ world }) => {
    const { api } = world;
    for (const entries of [[VIEWER], [], [VIEWER]]) await world.setAccess(entries);
    expect(await problemIn(await undo(world, 1))).toMatchObject({ status: 409, type: '/problems/later-change' });
    await world.setAccess([]);
    const erasure = { method: 'DELETE', token: api.tokens.owner, headers: { 'if-match': '*' } };
    expect((await api.send(`/guilds/${guild}`, erasure)).status).toBe(204);
    expect(await problemIn(await undo(world, 4))).toMatchObject({ status: 404, type: '/problems/revision-unknown' });
  });

  test('is undone under the condition of the record', async ({ world }) => {
    const { api } = world;
    await world.setAccess([VIEWER]);
    await api.patch(guild, { beta: true });
    const path = `/guilds/${guild}/history/1/undo`;
    const sent = (tag: string) =>
      api.send(path, { method: 'POST', token: api.tokens.manager, headers: { 'if-match': tag } });
    expect((await sent('"0"')).status).toBe(412);
    expect((await sent('"2"')).status).toBe(200);
  });

  test('is left alone by a restore, and by the undo of settings', async ({ world }) => {
    const { api } = world;
    await api.patch(guild, { prefix: '?' });
    await world.setAccess([VIEWER]);
    await api.patch(guild, { beta: true });
    const restore = { method: 'POST', token: api.tokens.manager, body: { revision: 0 } };
    expect((await api.send(`/guilds/${guild}/restore`, restore)).status).toBe(200);
    expect((await undo(world, 4)).status).toBe(200);
    const list = await api.send(PATH, { token: api.tokens.manager });
    expect(await list.json()).toEqual({ entries: [VIEWER] });
    expect(await (await api.get(guild)).json()).toMatchObject({ prefix: '?', beta: true });
  });
});

describe('an export', () => {
  test('has the access list with the history, for managers alone, and no import takes it', async ({ world }) => {
    const { api } = world;
    await world.setAccess(LIST);
    const path = `/guilds/${guild}/export`;
    const plain = await api.send(path, { token: world.tokens.viewerByRole });
    expect(await plain.json()).not.toHaveProperty('access');
    const refused = await api.send(`${path}?history=true`, { token: world.tokens.editorByRole });
    expect(await problemIn(refused)).toMatchObject({ status: 403, type: '/problems/insufficient-access' });
    const whole = await api.send(`${path}?history=true`, { token: api.tokens.manager });
    const document = (await whole.json()) as object;
    expect(document).toMatchObject({ access: LIST, history: { entries: [{ kind: 'access' }], complete: true } });
    const imported = await api.send(`/guilds/${IDS.otherGuild}/import`, {
      method: 'POST',
      token: api.tokens.manager,
      body: document,
    });
    expect([imported.status, await imported.json()]).toMatchObject([
      200,
      { skipped: [{ reason: 'access' }, { reason: 'history' }] },
    ]);
    const other = await api.send(`/guilds/${IDS.otherGuild}/access`, { token: api.tokens.manager });
    expect(await other.json()).toEqual({ entries: [] });
  });
});

describe('an erasure', () => {
  test('erases the list, also where nothing else was stored, and lets nobody in any more', async ({ world }) => {
    const { api } = world;
    await world.setAccess(LIST);
    const erased = { method: 'DELETE', token: api.tokens.owner, headers: { 'if-match': '*' } };
    expect((await api.send(`/guilds/${guild}`, erased)).status).toBe(204);
    const list = await api.send(PATH, { token: api.tokens.manager });
    expect([revisionTagIn(list), await list.json()]).toEqual(['"0"', { entries: [] }]);
    expect((await api.get(guild, { token: world.tokens.viewerByUser })).status).toBe(403);
    expect(await historyOf(world)).toEqual([]);
  });
});

describe('users who are let in', () => {
  test('find the guilds in their list, with what they may do', async ({ world }) => {
    const { api, tokens } = world;
    await world.setAccess(LIST);
    await api.report({ type: 'present', guild: { id: guild, name: 'Discord Testers', icon: null } });
    const listed = async (token: string) =>
      ((await (await api.send('/users/@me/guilds', { token })).json()) as { id: string; access: string }[]).map(
        ({ id, access }) => [id, access],
      );
    expect(await listed(tokens.editorByUser)).toEqual([[guild, 'editor']]);
    expect(await listed(tokens.viewerByUser)).toEqual([[guild, 'viewer']]);
    expect(await listed(tokens.editorByRole)).toEqual([[guild, 'editor']]);
    expect(await listed(api.tokens.plain)).toEqual([]);
    expect((await listed(api.tokens.manager)).map(([, access]) => access)).toEqual(['manager', 'manager', 'manager']);
    const one = await api.send(`/users/@me/guilds/${guild}`, { token: tokens.viewerByRole });
    expect(await one.json()).toMatchObject({
      name: 'Discord Testers',
      access: 'viewer',
      owner: false,
      botPresent: true,
    });
    expect((await api.send(`/users/@me/guilds/${guild}`, { token: api.tokens.plain })).status).toBe(403);
  });

  test('have the higher level of two that they have', async ({ world }) => {
    const { api, tokens } = world;
    api.discord.world.setMemberRoles(guild, LET_IN.viewerByUser, [ROLES.editors]);
    await world.setAccess([VIEWER, { subject: `role:${ROLES.editors}`, level: 'editor' }]);
    expect((await api.patch(guild, { beta: true }, { token: tokens.viewerByUser })).status).toBe(200);
    const one = await api.send(`/users/@me/guilds/${guild}`, { token: tokens.viewerByUser });
    expect(await one.json()).toMatchObject({ access: 'editor' });
  });

  test('have no access to another guild that they are a member of', async ({ world }) => {
    await world.setAccess(LIST);
    for (const name of ['editorByRole', 'editorByUser', 'viewerByRole', 'viewerByUser'] as const) {
      expect((await world.api.get(IDS.otherGuild, { token: world.tokens[name] })).status).toBe(403);
    }
  });
});
