import { HistoryPage, versionIn } from '@guild-settings/contract';
import { problemIn, revisionTagIn, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect } from 'vitest';

const { guild } = IDS;

async function entriesOf(api: TestApi, query = '') {
  const response = await api.send(`/guilds/${guild}/history${query}`, { token: api.tokens.manager });
  return { ...HistoryPage.parse(await response.json()), link: response.headers.get('link') };
}

const undo = (api: TestApi, revision: number, query = '', headers: Record<string, string> = {}) =>
  api.send(`/guilds/${guild}/history/${revision}/undo${query}`, { method: 'POST', token: api.tokens.manager, headers });

const restore = (api: TestApi, body: unknown, query = '') =>
  api.send(`/guilds/${guild}/restore${query}`, { method: 'POST', token: api.tokens.manager, body });

describe('the history of a guild', () => {
  test('has one entry for each change, the newest first, with author, reason and difference', async ({ api }) => {
    await api.patch(guild, { prefix: '?' }, { headers: { 'x-audit-log-reason': 'a%20reason' } });
    await api.patch(guild, { beta: true, language: 'ja' }, { token: api.tokens.admin });
    const { entries, link } = await entriesOf(api);
    expect(entries).toEqual([
      {
        revision: 2,
        at: new Date(api.clock.now).toISOString(),
        kind: 'settings',
        actor: { kind: 'user', id: IDS.admin },
        origin: 'rest',
        reason: null,
        changes: { beta: { from: false, to: true }, language: { from: 'en-US', to: 'ja' } },
      },
      expect.objectContaining({ revision: 1, reason: 'a reason', changes: { prefix: { from: '!', to: '?' } } }),
    ]);
    expect(link).toBeNull();
  });

  test('is read in parts by the links, which changes made meanwhile do not move', async ({ api }) => {
    for (let n = 1; n <= 7; n += 1) await api.patch(guild, { prefix: `${n}` });
    const revisions: number[] = [];
    let path: string | undefined = `/guilds/${guild}/history?limit=3`;
    while (path !== undefined) {
      const response = await api.send(path, { token: api.tokens.manager });
      revisions.push(...HistoryPage.parse(await response.json()).entries.map(({ revision }) => revision));
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      await api.patch(guild, { prefix: `later ${revisions.length}` });
    }
    expect(revisions).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test('is filtered by author, field, kind and revisions', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    await api.patch(guild, { beta: true }, { token: api.tokens.admin });
    await api.patch(guild, { prefix: '#', beta: false });
    const revisions = async (query: string) => (await entriesOf(api, query)).entries.map(({ revision }) => revision);
    expect(await revisions(`?actor=${IDS.admin}`)).toEqual([2]);
    expect(await revisions('?field=prefix')).toEqual([3, 1]);
    expect(await revisions('?kind=platform')).toEqual([]);
    expect(await revisions('?after=1&before=3')).toEqual([2]);
  });
});

describe('a record as it was', () => {
  test('is that of its revision, also after later changes, and may be cached without end where the epoch is named', async ({
    api,
  }) => {
    await api.patch(guild, { prefix: '1' });
    await api.patch(guild, { prefix: '2', beta: true });
    await api.patch(IDS.otherGuild, { prefix: 'x' });
    await api.patch(guild, { enabledFeatures: ['a'] });
    const at = (revision: number | string) =>
      api.send(`/guilds/${guild}?at=${revision}`, { token: api.tokens.manager });
    const records = await Promise.all([0, 1, 2, 3, 4].map(async (revision) => (await at(revision)).json()));
    expect(records).toMatchObject([
      { prefix: '!', beta: false, enabledFeatures: [] },
      { prefix: '1', beta: false, enabledFeatures: [] },
      { prefix: '2', beta: true, enabledFeatures: [] },
      { prefix: '2', beta: true, enabledFeatures: [] },
      { prefix: '2', beta: true, enabledFeatures: ['a'] },
    ]);
    const response = await at(3);
    expect(revisionTagIn(response)).toBe('"2"');
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const { epoch } = versionIn(response.headers.get('etag') ?? '') ?? {};
    const final = await at(`3&epoch=${epoch}`);
    expect(final.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(await final.json()).toEqual(records[3]);
    expect((await problemIn(await at('3&epoch=0000000000'))).type).toBe('/problems/revision-unknown');
    expect((await problemIn(await at(5))).type).toBe('/problems/revision-unknown');
  });
});

describe('an undo', () => {
  test('puts back the fields of one change, as a new one, and keeps later changes of other fields', async ({ api }) => {
    await api.patch(guild, { prefix: '?', beta: true });
    await api.patch(guild, { language: 'ja' });
    const response = await undo(api, 1, '', { 'x-audit-log-reason': 'oops' });
    expect(revisionTagIn(response)).toBe('"3"');
    expect(await response.json()).toMatchObject({ prefix: '!', beta: false, language: 'ja' });
    const { entries } = await entriesOf(api);
    expect(entries[0]).toMatchObject({ revision: 3, origin: 'undo', undoes: 1, reason: 'oops' });
    expect(entries[2]).toMatchObject({ revision: 1, undoneBy: 3 });
  });

  test('of an undo makes the change again', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    await undo(api, 1);
    expect(await (await undo(api, 2)).json()).toMatchObject({ prefix: '?' });
    expect(await (await undo(api, 1)).json()).toMatchObject({ prefix: '!' });
  });

  test('never overwrites a later value, even one that is equal', async ({ api }) => {
    await api.patch(guild, { prefix: '?', beta: true });
    await api.patch(guild, { prefix: '#' }, { token: api.tokens.admin });
    await api.patch(guild, { prefix: '?' }, { token: api.tokens.admin });
    const response = await undo(api, 1);
    expect(response.status).toBe(409);
    expect(await problemIn(response)).toMatchObject({
      type: '/problems/later-change',
      conflicts: [{ field: 'prefix', from: '?', to: '?', revision: 3, actor: { kind: 'user', id: IDS.admin } }],
    });
    expect(await (await api.get(guild)).json()).toMatchObject({ prefix: '?', beta: true });
  });

  test('of what is undone already succeeds without a new revision', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    await undo(api, 1);
    expect(revisionTagIn(await undo(api, 1))).toBe('"2"');
  });

  test('with dry_run returns the difference and writes nothing', async ({ api }) => {
    await api.patch(guild, { prefix: '?' });
    expect(await (await undo(api, 1, '?dry_run=true')).json()).toEqual({
      revision: 1,
      changes: { prefix: { from: '?', to: '!' } },
    });
    expect(revisionTagIn(await api.get(guild))).toBe('"1"');
  });
});

describe('a restore', () => {
  test('puts all settings back to how they were, as a new change', async ({ api }) => {
    await api.patch(guild, { prefix: '1' });
    await api.patch(guild, { prefix: '2', beta: true });
    await api.patch(guild, { enabledFeatures: ['a'] });
    expect(await (await restore(api, { revision: 1 }, '?dry_run=true')).json()).toEqual({
      revision: 3,
      changes: {
        prefix: { from: '2', to: '1' },
        beta: { from: true, to: false },
        enabledFeatures: { from: ['a'], to: [] },
      },
    });
    const response = await restore(api, { revision: 1 });
    expect(revisionTagIn(response)).toBe('"4"');
    expect(await response.json()).toMatchObject({ prefix: '1', beta: false, enabledFeatures: [] });
    expect((await entriesOf(api)).entries[0]).toMatchObject({ origin: 'restore', restores: 1 });
  });
});

test('a 412 names the fields of the request that others have changed, and the changes', async ({ api }) => {
  await api.patch(guild, { prefix: '1' });
  await api.patch(guild, { prefix: '2' }, { token: api.tokens.admin });
  await api.patch(guild, { prefix: '3', beta: true }, { token: api.tokens.admin });
  const response = await api.patch(guild, { prefix: '4', language: 'ja' }, { headers: { 'if-match': '"1"' } });
  expect(response.status).toBe(412);
  expect((await problemIn(response)).conflicts).toEqual([
    {
      field: 'prefix',
      from: '1',
      to: '3',
      revision: 3,
      at: new Date(api.clock.now).toISOString(),
      actor: { kind: 'user', id: IDS.admin },
    },
  ]);
});
