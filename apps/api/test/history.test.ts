import { HistoryPage, versionIn } from '@guild-settings/contract';
import { problemIn, revisionTagIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect } from 'vitest';

const { guild } = IDS;

const undo = (api: TestApi, revision: number, query = '') =>
  api.send(`/guilds/${guild}/history/${revision}/undo${query}`, { method: 'POST', token: api.tokens.manager });

const restore = (api: TestApi, body: unknown, query = '') =>
  api.send(`/guilds/${guild}/restore${query}`, { method: 'POST', token: api.tokens.manager, body });

describe('the history of a guild', () => {
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
});

test('a restore that made a value equal by chance is not in the way of an undo; one that set another value is', async ({
  api,
}) => {
  for (const prefix of ['1', '2']) await api.patch(guild, { prefix });
  await restore(api, { revision: 1 });
  expect((await undo(api, 2)).status).toBe(200);
  await api.patch(guild, { prefix: '3' });
  await restore(api, { revision: 2 });
  expect((await problemIn(await undo(api, 4))).type).toBe('/problems/later-change');
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

test('a parameter that is no canonical value is refused, and one at its limit is accepted', async ({ api }) => {
  const token = api.tokens.manager;
  const statusOf = async (path: string) => (await api.send(`/guilds/${guild}${path}`, { token })).status;
  // An empty number, leading zeros, an exponent, a sign, a fraction, a revision beyond the safe integers, two values,
  // ...
  const numbers = ['limit=', 'limit=0', 'limit=101', 'limit=050', 'limit=1e1', 'limit=%2B5', 'limit=5.0', 'after=-1'];
  const revisions = ['before=0', 'before=9007199254740992', 'before=99999999999999999999', 'after=1&after=2'];
  const others = ['field=colour', 'colour=red', 'actor=me', 'kind=Settings', '__proto__=1', 'guild=1'];
  const refused = [
    ...[...numbers, ...revisions, ...others].map((query) => `/history?${query}`),
    ...['/history/0', '/history/01', '/history/newest', '?at=', '?at=-1', '?at=1.5', '?at=now'],
  ];
  for (const path of refused) expect([path, await statusOf(path)]).toEqual([path, 400]);
  const limits = ['limit=1', 'limit=100', 'before=1', 'before=9007199254740991', 'after=0', 'before=3&after=7'];
  for (const query of limits) expect([query, await statusOf(`/history?${query}`)]).toEqual([query, 200]);
  await api.patch(guild, { prefix: 'a' });
  for (const query of ['?dry_run=1', '?dry_run=', '?dryRun=true', '?dry_run=true&dry_run=true']) {
    expect((await undo(api, 1, query)).status).toBe(400);
    expect((await restore(api, { revision: 0 }, query)).status).toBe(400);
  }
  for (const body of [{}, { revision: -1 }, { revision: '1' }, { revision: 1.5 }, { revision: 1, dry_run: true }, []])
    expect((await restore(api, body)).status).toBe(400);
  expect(await (await api.get(guild)).json()).toMatchObject({ prefix: 'a' });
});

test('caches keep what is final alone, and a batch has no header of one of its calls', async ({ api }) => {
  const etag = (await api.patch(guild, { prefix: '1' })).headers.get('etag') ?? '';
  await api.patch(guild, { prefix: '2' });
  const token = api.tokens.manager;
  const past = await api.send(`/guilds/${guild}?at=1&epoch=${versionIn(etag)?.epoch}`, {
    token,
    headers: { 'if-none-match': etag },
  });
  expect([past.status, past.headers.get('cache-control')]).toEqual([304, 'private, max-age=31536000, immutable']);
  const refused = [
    await api.send(`/guilds/${guild}?at=3`, { token }),
    await api.send(`/guilds/${guild}?at=1`, { token, headers: { 'if-match': '"0"' } }),
    await api.send(`/guilds/${guild}?at=1`, { token: api.tokens.stranger }),
  ];
  expect(refused.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual(
    [404, 412, 403].map((status) => [status, 'private, no-cache']),
  );
  const input = JSON.stringify({ 0: { guild, at: 1 }, 1: { guild, limit: 1 } });
  const batch = await api.send(`/trpc/guilds.get,guilds.history?batch=1&input=${encodeURIComponent(input)}`, { token });
  expect(await batch.json()).toMatchObject([{ result: { data: { prefix: '1' } } }, { result: {} }]);
  expect(['cache-control', 'link', 'etag'].map((name) => batch.headers.get(name))).toEqual([
    'private, no-cache',
    null,
    null,
  ]);
});

test('the bytes that a guild may log in a day hold for an undo, and for its preview', async () => {
  await using api = await startApi({ CHANGE_LOG_BYTES_PER_DAY: '700' });
  await api.patch(guild, { prefix: '1' });
  // The access list also uses the part that is reserved for undo.
  const body = { entries: [{ subject: `user:${IDS.owner}`, level: 'viewer' }] };
  await api.send(`/guilds/${guild}/access`, { method: 'PUT', token: api.tokens.manager, body });
  for (const query of ['', '?dry_run=true'])
    expect(await problemIn(await undo(api, 1, query))).toMatchObject({ type: '/problems/change-log-full' });
});
