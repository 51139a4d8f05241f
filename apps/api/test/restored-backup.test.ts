import { copyFileSync } from 'node:fs';
import { versionIn } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';
import { settingsFile, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

const { guild } = IDS;
const ACCESS = `/guilds/${guild}/access`;
const DECLARED = {
  settings: { xp: { kind: 'integer', min: 0, max: 9, default: 0, label: { 'en-US': 'xp' } } },
} as const;

/** A service restored from a backup at revision 2; revision 3 was made after the backup and is lost. */
async function restored(env: NodeJS.ProcessEnv = {}) {
  await using before = await startApi(env);
  await before.patch(guild, { prefix: 'a' });
  await putAccess(before, []);
  const kept = await tagOf(before);
  const file = temporaryFile();
  const db = new Database(before.databasePath);
  db.exec(`VACUUM INTO '${file.path}'`);
  db.close();
  copyFileSync(`${before.databasePath}-erasures`, `${file.path}-erasures`);
  await before.patch(guild, { prefix: 'lost' });
  const lost = await tagOf(before);
  await putAccess(before, [{ subject: `user:${IDS.owner}`, level: 'viewer' }]);
  const lostAccess = (await before.send(ACCESS, { token: before.tokens.manager })).headers.get('etag') ?? '';
  const api = await startApi({ ...env, DATABASE_URL: `file:${file.path}` });
  await api.patch(guild, { prefix: 'other' });
  await putAccess(api, [{ subject: `user:${IDS.admin}`, level: 'viewer' }]);
  return { api, kept, lost, lostAccess };
}

const tagOf = async (api: TestApi) => (await api.get(guild)).headers.get('etag') ?? '';

function putAccess(api: TestApi, entries: readonly object[], headers: Record<string, string> = {}): Promise<Response> {
  return api.send(ACCESS, { method: 'PUT', token: api.tokens.manager, headers, body: { entries } });
}

test.each(['without a declaration', 'with one'])(
  'after the restore of a backup, no entity tag of a lost revision names another one, %s',
  async (declaration) => {
    using file = settingsFile(DECLARED);
    const { api, lost, lostAccess } = await restored(declaration === 'with one' ? { SETTINGS_FILE: file.path } : {});
    await using _ = api;
    const now = await tagOf(api);
    expect(versionIn(now)?.revision).toBe(versionIn(lost)?.revision);
    expect(now).not.toBe(lost);
    // With an origin the fast path passes the request on.
    for (const more of [{}, { origin: 'http://example.com' }]) {
      const read = await api.get(guild, { headers: { 'if-none-match': lost, ...more } });
      expect([read.status, await read.json()]).toMatchObject([200, { prefix: 'other' }]);
    }
    const refused = await api.patch(guild, { beta: true }, { headers: { 'if-match': lost } });
    const problem = (await refused.json()) as object;
    expect([refused.status, refused.headers.get('etag'), problem]).toMatchObject([
      412,
      now,
      { current: { prefix: 'other' } },
    ]);
    expect(problem).not.toHaveProperty('conflicts');
    expect((await putAccess(api, [], { 'if-match': lostAccess })).status).toBe(412);
    const { revision, epoch } = versionIn(lost) ?? {};
    const at = (query: string) => api.send(`/guilds/${guild}?at=${revision}${query}`, { token: api.tokens.manager });
    expect((await at(`&epoch=${epoch}`)).status).toBe(404);
    expect((await at('')).headers.get('cache-control')).toBe('private, no-cache');
    expect((await at(`&epoch=${versionIn(now)?.epoch}`)).status).toBe(200);
  },
);

test('a restart, and a restored backup, change no entity tag of what they have', async () => {
  const { api, kept } = await restored();
  await using _ = api;
  const at = await api.send(`/guilds/${guild}?at=1`, { token: api.tokens.manager });
  expect(at.headers.get('etag')).toBe(kept);
  const before = await tagOf(api);
  await api.restart();
  expect(await tagOf(api)).toBe(before);
  const headers = { 'if-none-match': before };
  expect((await api.get(guild, { headers })).status).toBe(304);
  expect((await api.patch(guild, { beta: true }, { headers: { 'if-match': before } })).status).toBe(200);
});

test('a guild that was never changed has one entity tag in every epoch', async () => {
  const { api } = await restored();
  await using _ = api;
  const { otherGuild } = IDS;
  const read = () => api.get(otherGuild, { token: api.tokens.application, headers: { 'if-none-match': '"0"' } });
  expect((await read()).status).toBe(304);
  await api.restart();
  expect((await read()).status).toBe(304);
});

test('a tag without an epoch, as 1.0.0 sent it, names its revision', async () => {
  await using api = await startApi();
  await api.patch(guild, { prefix: 'a' });
  expect((await api.patch(guild, { prefix: 'b' }, { headers: { 'if-match': '"1"' } })).status).toBe(200);
  expect((await api.patch(guild, { prefix: 'c' }, { headers: { 'if-match': '"2-1a2b3c4d"' } })).status).toBe(200);
  expect((await api.patch(guild, { prefix: 'd' }, { headers: { 'if-match': '"2"' } })).status).toBe(412);
  expect((await api.get(guild, { headers: { 'if-none-match': '"3"' } })).status).toBe(200);
});
