import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '@guild-settings/testing';
import { revisionTagIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { processWorld, startApiProcess } from '@guild-settings/testing/api-programs';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect } from 'vitest';
import { backUp } from '../src/store/sqlite/back-up.ts';

const { guild } = IDS;

/** The bytes that must not remain of the guild and of the person who changed it. */
const SECRETS = [
  guild,
  IDS.manager,
  'guild-of-the-secret',
  'prefix-secret',
  'channel-secret',
  'feature-secret',
  'reason-secret',
];

const SUFFIXES = ['', '-wal', '-shm', '-id', '-lock', '-erasures'];

function found(databasePath: string): string[] {
  const files = SUFFIXES.map((suffix) => `${databasePath}${suffix}`).filter((path) => existsSync(path));
  const bytes = Buffer.concat(files.map((path) => readFileSync(path)));
  return SECRETS.filter((secret) => bytes.includes(secret));
}

const erase = ({ url }: { readonly url: string }, token: string) =>
  fetch(`${url}/guilds/${guild}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}`, 'if-match': '*' } });

const forget = ({ url }: { readonly url: string }, token: string) =>
  fetch(`${url}/users/@me/history`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });

/** Changes the guild as the person several times, so that the values are in the record and in its history. */
async function writeSecrets(api: TestApi): Promise<void> {
  const body = { type: 'present', guild: { id: guild, name: 'guild-of-the-secret', icon: null } };
  await api.send('/trpc/presence.report', { method: 'POST', token: api.tokens.application, body });
  const headers = { 'x-audit-log-reason': 'reason-secret' };
  await api.patch(guild, { prefix: 'prefix-secret' }, { headers });
  await api.patch(guild, { announcement_channel: 'channel-secret', enabledFeatures: ['feature-secret'] }, { headers });
  await api.patch(guild, { prefix: '!' });
  await api.patch(IDS.otherGuild, { prefix: 'kept' });
}

const isFinished = async ({ url }: { readonly url: string }) =>
  /^erasures_unfinished 0$/m.test(await (await fetch(`${url}/metrics`)).text());

test('after an erasure, the file of the database has no byte of the values, the guild or the person once it is closed', async ({
  api,
}) => {
  await writeSecrets(api);
  await api.restart();
  expect(found(api.databasePath)).toEqual(SECRETS);
  expect((await erase(api, api.tokens.owner)).status).toBe(204);
  expect((await forget(api, api.tokens.manager)).status).toBe(202);
  await waitUntil(() => isFinished(api), { message: 'the erasures are finished' });
  await api.app.close();
  expect(found(api.databasePath)).toEqual([]);
  expect(readFileSync(api.databasePath).includes('kept')).toBe(true);
});

test('an older copy that is put back has nothing of what was erased since, from the start on', async ({ api }) => {
  const copy = `${api.databasePath}-copy`;
  await writeSecrets(api);
  backUp(api.databasePath, copy);
  await erase(api, api.tokens.owner);
  await forget(api, api.tokens.manager);
  await api.app.close();
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(`${api.databasePath}${suffix}`)) rename(`${api.databasePath}${suffix}`);
  renameSync(copy, api.databasePath);
  expect(found(api.databasePath)).toEqual(SECRETS);
  await using again = await startApi({ DATABASE_URL: `file:${api.databasePath}` });
  expect(await (await again.get(guild)).json()).toMatchObject({ prefix: '!', announcement_channel: '' });
  const history = async (id: string) =>
    (await again.send(`/guilds/${id}/history`, { token: again.tokens.admin })).json();
  expect(await history(guild)).toEqual({ entries: [] });
  expect(await history(IDS.otherGuild)).toMatchObject({ entries: [{ actor: { kind: 'user', id: null } }] });
  expect(again.log()).toContain('The database is older than the ledger of erasures: 2 erasures are repeated.');
  await waitUntil(() => isFinished(again), { message: 'the erasures are finished' });
  expect(revisionTagIn(await again.get(guild))).toBe('"0"');
});

describe('a process that is killed', () => {
  test('between the commit and the ledger has both after the next start, and did not acknowledge the erasure', async () => {
    await using api = await processWorld();
    const [path, ledger] = [join(api.folder, 'test.db'), join(api.folder, 'test.db-erasures')];
    const authorization = `Bearer ${api.tokens.owner}`;
    const record = (url: string) => fetch(`${url}/guilds/${guild}`, { headers: { authorization } });
    const headers = { authorization, 'content-type': 'application/json' };
    await fetch(`${api.url}/guilds/${guild}`, { method: 'PATCH', headers, body: '{"prefix":"prefix-secret"}' });
    // The ledger cannot be written, because a folder is in its place.
    renameSync(ledger, `${ledger}-away`);
    mkdirSync(ledger);
    const refused = await erase(api, api.tokens.owner);
    expect([refused.status, ((await refused.json()) as { type: string }).type]).toEqual([
      503,
      '/problems/write-unconfirmed',
    ]);
    await api.end('SIGKILL');
    rmdirSync(ledger);
    renameSync(`${ledger}-away`, ledger);
    expect(readFileSync(ledger, 'utf8').trim().split('\n')).toHaveLength(1);
    const again = await startApiProcess({
      DATABASE_URL: `file:${path}`,
      DISCORD_API_URL: api.discord.apiUrl,
      DISCORD_APPLICATION_ID: IDS.application,
    });
    try {
      expect(await (await record(again.url)).json()).toMatchObject({ prefix: '!' });
      expect(readFileSync(ledger, 'utf8').trim().split('\n')).toHaveLength(2);
    } finally {
      await again.end('SIGKILL');
    }
  });
});

function rename(path: string): void {
  renameSync(path, `${path}-before`);
}
