import { HistoryPage, versionIn } from '@guild-settings/contract';
import {
  problemIn,
  revisionIn,
  revisionTagIn,
  type Sent,
  sharedApi,
  startApi,
  type TestApi,
} from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect, test } from 'vitest';

const { guild, otherGuild, bigGuild } = IDS;
const api = sharedApi({ CORS_ORIGINS: 'https://dash.example' });

/** Changes a guild and returns the revision. */
async function change(patch: object, { of = guild, by = api() }: { of?: string; by?: TestApi } = {}): Promise<number> {
  return revisionOf(await by.patch(of, patch));
}

function revisionOf({ headers }: Response): number {
  return revisionIn({ headers });
}

const post = (path: string, sent: Sent = {}, by = api()) =>
  by.send(path, { method: 'POST', token: by.tokens.manager, ...sent });
const undo = (revision: number, sent?: Sent, by?: TestApi) =>
  post(`/guilds/${guild}/history/${revision}/undo`, sent, by);
const get = (path: string, sent: Sent = {}) => api().send(path, { token: api().tokens.manager, ...sent });
const slugOf = async (response: Response) => (await problemIn(response)).type.replace('/problems/', '');

describe('a parameter that is no canonical value is refused', () => {
  test.each([
    ['history?limit=', 'an empty number'],
    ['history?limit=0', 'zero'],
    ['history?limit=101', 'more than 100'],
    ['history?limit=050', 'leading zeros'],
    ['history?limit=1e1', 'an exponent'],
    ['history?limit=%2B5', 'a sign'],
    ['history?limit=5.0', 'a fraction'],
    ['history?before=0', 'a revision that no change has'],
    ['history?before=9007199254740992', 'a revision beyond the integers of a double'],
    ['history?before=99999999999999999999', 'a revision of twenty digits'],
    ['history?after=-1', 'a negative revision'],
    ['history?after=1&after=2', 'two values'],
    ['history?field=colour', 'a field that there is not'],
    ['history?colour=red', 'an unknown parameter'],
    ['history?actor=me', 'an author that is no id'],
    ['history?kind=Settings', 'another case'],
    ['history?__proto__=1', 'a name of every object'],
    ['history?guild=1', 'a parameter of the path'],
    ['history/0', 'revision 0'],
    ['history/01', 'a revision with a leading zero'],
    ['history/newest', 'a word'],
    ['?at=', 'an empty revision'],
    ['?at=-1', 'a negative revision'],
    ['?at=1.5', 'a fraction of a revision'],
    ['?at=now', 'a word for a revision'],
  ])('%s: %s', async (path) => {
    const response = await get(`/guilds/${guild}${path.startsWith('?') ? '' : '/'}${path}`);
    expect(response.status).toBe(400);
    expect(await slugOf(response)).toBe('invalid-request');
  });

  test.each(['?dry_run=1', '?dry_run=', '?dry_run=True', '?dryRun=true', '?dry_run=true&dry_run=true'])(
    'undo%s and restore%s change nothing',
    async (query) => {
      const revision = await change({ prefix: 'a' });
      expect((await post(`/guilds/${guild}/history/${revision}/undo${query}`)).status).toBe(400);
      expect((await post(`/guilds/${guild}/restore${query}`, { body: { revision: 0 } })).status).toBe(400);
      expect(await (await api().get(guild)).json()).toMatchObject({ prefix: 'a' });
    },
  );

  test.each([{}, { revision: -1 }, { revision: '1' }, { revision: 1.5 }, { revision: 1, dry_run: true }, []])(
    'a restore of %j',
    async (body) => {
      const response = await post(`/guilds/${guild}/restore`, { body });
      expect(response.status).toBe(400);
    },
  );
});

describe('a parameter at its limit is accepted', () => {
  test.each([
    'limit=1',
    'limit=100',
    'before=1',
    'before=9007199254740991',
    'after=0',
    'after=9007199254740991',
    'after=5&before=5',
    'before=3&after=7',
  ])('%s', async (query) => {
    const response = await get(`/guilds/${otherGuild}/history?${query}`);
    expect(response.status).toBe(200);
    HistoryPage.parse(await response.json());
  });

  test('and a part is followed by a link exactly when there is more', async () => {
    const [first, , third] = [
      await change({ beta: true }),
      await change({ beta: false }),
      await change({ beta: true }),
    ];
    const linkOf = async (query: string) => (await get(`/guilds/${guild}/history?${query}`)).headers.get('link');
    expect(await linkOf(`after=${first - 1}&limit=3`)).toBeNull();
    expect(await linkOf(`after=${first - 1}&limit=2`)).toContain(`after=${first - 1}&limit=2&before=${third - 1}`);
  });
});

describe('over HTTP', () => {
  test('HEAD returns the link to the next part', async () => {
    for (const beta of [true, false]) await change({ beta });
    const [head, found] = [
      await get(`/guilds/${guild}/history?limit=1`, { method: 'HEAD' }),
      await get(`/guilds/${guild}/history?limit=1`),
    ];
    expect([head.status, head.headers.get('link')]).toEqual([200, found.headers.get('link')]);
    expect(found.headers.get('link')).not.toBeNull();
  });

  test('a record as it was is revalidated by its entity tag', async () => {
    const revision = await change({ prefix: 'etag' });
    const etag = (await get(`/guilds/${guild}`)).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    await change({ prefix: 'later' });
    const response = await get(`/guilds/${guild}?at=${revision}&epoch=${versionIn(etag)?.epoch}`, { headers });
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      304,
      'private, max-age=31536000, immutable',
    ]);
    expect((await get(`/guilds/${guild}`, { headers })).status).toBe(200);
  });

  test('a refused request for a record as it was may not be cached', async () => {
    const revision = await change({ prefix: 'cached' });
    const responses = [
      await get(`/guilds/${guild}?at=${revision + 1}`),
      await get(`/guilds/${guild}?at=${revision}`, { headers: { 'if-match': '"0"' } }),
      await get(`/guilds/${guild}?at=${revision}`, { token: api().tokens.stranger }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 412, 403]);
    for (const { headers } of responses) expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  test('a page of an allowed origin may read the link', async () => {
    const response = await get(`/guilds/${guild}/history`, { headers: { origin: 'https://dash.example' } });
    expect(response.headers.get('access-control-expose-headers')).toContain('Link');
  });

  test('a batch of tRPC calls has no header of one of them', async () => {
    const revision = await change({ prefix: 'batch' });
    await change({ prefix: 'after' });
    const input = JSON.stringify({ 0: { guild, at: revision }, 1: { guild, limit: 1 }, 2: { guild } });
    const path = `/trpc/guilds.get,guilds.history,guilds.get?batch=1&input=${encodeURIComponent(input)}`;
    const response = await get(path);
    const results = (await response.json()) as { result: { data: object } }[];
    expect(results.map(({ result }) => result.data)).toMatchObject([
      { prefix: 'batch' },
      { entries: [{ revision: revision + 1 }] },
      { prefix: 'after' },
    ]);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect([response.headers.get('link'), response.headers.get('etag')]).toEqual([null, null]);
  });
});

describe('a guild without changes', () => {
  test('has an empty history, was the same at every time, and is at revision 0', async () => {
    const newest = await change({ prefix: 'of another' });
    const history = await get(`/guilds/${bigGuild}/history`);
    expect(await history.json()).toEqual({ entries: [] });
    for (const at of [0, newest]) {
      const response = await get(`/guilds/${bigGuild}?at=${at}`);
      expect(revisionTagIn(response)).toBe('"0"');
      expect(await response.json()).toEqual(await (await api().get(bigGuild)).json());
    }
  });

  test('has no change of another guild', async () => {
    const revision = await change({ prefix: 'theirs' });
    const path = `/guilds/${bigGuild}/history/${revision}`;
    expect(await slugOf(await get(path))).toBe('revision-unknown');
    expect(await slugOf(await post(`${path}/undo`))).toBe('revision-unknown');
  });
});

describe('a restore', () => {
  test('of revision 0 puts back the defaults', async () => {
    await using own = await startApi();
    await change({ prefix: '1', beta: true }, { by: own });
    const restored = await post(`/guilds/${guild}/restore`, { body: { revision: 0 } }, own);
    expect(await restored.json()).toMatchObject({ prefix: '!', beta: false });
    const entry = await own.send(`/guilds/${guild}/history/2`, { token: own.tokens.manager });
    expect(await entry.json()).toMatchObject({ origin: 'restore', restores: 0 });
    expect(await slugOf(await post(`/guilds/${guild}/restore`, { body: { revision: 3 } }, own))).toBe(
      'revision-unknown',
    );
  });

  test('that made a value equal by chance is not in the way of an undo; one that set another value is', async () => {
    const first = await change({ prefix: 'r1' });
    const second = await change({ prefix: 'r2' });
    await post(`/guilds/${guild}/restore`, { body: { revision: first } });
    expect((await undo(second)).status).toBe(200);
    const third = await change({ prefix: 'r3' });
    await post(`/guilds/${guild}/restore`, { body: { revision: second } });
    expect(await slugOf(await undo(third))).toBe('later-change');
  });
});

describe('a failed If-Match', () => {
  test('of an undo names the fields of the undone change that others have changed', async () => {
    const revision = await change({ prefix: 'm1', beta: true });
    const later = await change({ prefix: 'm2', language: 'ja' });
    for (const query of ['', '?dry_run=true']) {
      const headers = { 'if-match': `"${revision}"` };
      const response = await post(`/guilds/${guild}/history/${revision}/undo${query}`, { headers });
      expect([response.status, revisionTagIn(response)]).toEqual([412, `"${later}"`]);
      const { current, conflicts } = await problemIn(response);
      expect(current).toMatchObject({ prefix: 'm2' });
      expect(conflicts).toMatchObject([{ field: 'prefix', from: 'm1', to: 'm2', revision: later }]);
    }
  });

  test('of a restore names all fields that others have changed', async () => {
    const revision = await change({ prefix: 'n1', language: 'en-US' });
    await change({ prefix: 'n2', language: 'ja' });
    const headers = { 'if-match': `"${revision}"` };
    const response = await post(`/guilds/${guild}/restore`, { headers, body: { revision } });
    expect((await problemIn(response)).conflicts?.map(({ field }) => field).sort()).toEqual(['language', 'prefix']);
  });
});

describe('the rules of a change hold for an undo', () => {
  test('the bytes that a guild may log in a day', async () => {
    await using own = await startApi({ CHANGE_LOG_BYTES_PER_DAY: '700' });
    const revision = await change({ prefix: '1' }, { by: own });
    // The access list takes of the part that is left for undo as well.
    const access = {
      method: 'PUT',
      token: own.tokens.manager,
      body: { entries: [{ subject: `user:${IDS.owner}`, level: 'viewer' }] },
    };
    expect((await own.send(`/guilds/${guild}/access`, access)).status).toBe(200);
    expect(await slugOf(await undo(revision, {}, own))).toBe('change-log-full');
    expect(await slugOf(await post(`/guilds/${guild}/history/${revision}/undo?dry_run=true`, {}, own))).toBe(
      'change-log-full',
    );
    expect(await (await own.get(guild)).json()).toMatchObject({ prefix: '1' });
  });

  test('a guild that the bot has left, and changes that Discord made', async () => {
    await using own = await startApi();
    const revision = await change({ prefix: '1' }, { by: own });
    await own.report({ type: 'present', guild: { id: guild, name: 'n', icon: null } });
    expect(await slugOf(await undo(revision + 1, {}, own))).toBe('not-undoable');
    await own.report({ type: 'left', guild });
    const send = (path: string, sent: Sent = {}) => own.send(path, { token: own.tokens.manager, ...sent });
    const responses = [
      await send(`/guilds/${guild}/history`),
      await send(`/guilds/${guild}/history/${revision}`),
      await send(`/guilds/${guild}?at=${revision}`),
      await undo(revision, {}, own),
      await post(`/guilds/${guild}/restore`, { body: { revision } }, own),
    ];
    for (const response of responses) expect(await slugOf(response)).toBe('bot-absent');
  });
});
