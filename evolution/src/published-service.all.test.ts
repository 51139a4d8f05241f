import { startWorld } from '@guild-settings/discord-sim/testing/world';
import { fetchNode, ResourceStack, startTestPostgres, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiProcess, migrate, startApi } from './api-process.ts';
import { unpackService } from './published-files.ts';
import { type AnyRecord, commandsOf, type ReplicaState } from './reader-commands.ts';
import { startReader } from './reader-process.ts';
import { CURRENT, folderOf, publishedVersions } from './versions.ts';
import { environmentOf, freshGuild, patch, request } from './world.ts';

/** The release line of Node that the published services ran on. */
const NODE_LINE = '22';

const EDITOR = [{ subject: 'user:53908099506183682', level: 'editor' }];

let node: string;
beforeAll(async () => {
  node = await fetchNode(NODE_LINE);
});

let resources: ResourceStack;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  resources = new ResourceStack();
  env = environmentOf(resources.use(await startWorld()), resources.use(temporaryFolder()).file('api.db'));
});
afterEach(() => resources[Symbol.asyncDispose]());

/** Everything of a guild that another version has to read alike. */
async function stateOf({ url }: ApiProcess, guild: string): Promise<AnyRecord> {
  const paths = { record: '', history: '/history?limit=100', access: '/access', exported: '/export?history=true' };
  const bodies = Object.entries(paths).map(async ([name, path]) => {
    const { response, body } = await request(`${url}/guilds/${guild}${path}`);
    expect(response.status, path).toBe(200);
    const { exportedAt: _, ...stable } = body;
    return [name, stable] as const;
  });
  return Object.fromEntries(await Promise.all(bodies));
}

/** Makes one change of each kind to a guild that is new. Returns its record and the number of changes. */
async function changeInEveryWay({ url }: ApiProcess, guild: string, from: ApiProcess): Promise<AnyRecord> {
  const at = `${url}/guilds/${guild}`;
  const { body: exported } = await request(`${from.url}/guilds/${await changed(from)}/export`);
  const first = await patch(url, guild, { prefix: '?', language: 'ja', announcement_channel: 'news' });
  const second = await patch(url, guild, { prefix: '$', beta: true, enabledFeatures: ['reminders', 'music'] });
  await succeeded(request(`${at}/access`, 'PUT', { entries: EDITOR }));
  await succeeded(request(`${at}/history/${second}/undo`, 'POST', {}));
  await succeeded(request(`${at}/features/quiz`, 'PUT'));
  await succeeded(request(`${at}/restore`, 'POST', { revision: first }));
  await succeeded(request(`${at}/import`, 'POST', exported));
  return (await request(at)).body;
}

/** Changes a guild that is new. Returns its id. */
async function changed({ url }: ApiProcess): Promise<string> {
  const guild = freshGuild();
  await patch(url, guild, { prefix: '%' });
  return guild;
}

async function succeeded(sent: ReturnType<typeof request>): Promise<void> {
  const { response, body } = await sent;
  expect(response.ok, JSON.stringify(body)).toBe(true);
}

describe.each(publishedVersions())('the published service of version %s', (version) => {
  let folder: string;
  beforeAll(() => {
    folder = unpackService(version);
  });

  test('runs beside the present one on one PostgreSQL: an upgrade process by process, and the way back', async () => {
    const postgres = resources.use(await startTestPostgres());
    env.DATABASE_URL = await postgres.createDatabase();
    const startPublished = async () => resources.use(await startApi(folder, env, node));
    const startPresent = async () => resources.use(await startApi(folderOf(CURRENT), env));
    const guilds = { before: freshGuild(), beside: freshGuild(), after: freshGuild(), back: freshGuild() };

    await migrate(folder, env, node);
    const [one, other] = [await startPublished(), await startPublished()];
    await changeInEveryWay(one, guilds.before, other);
    const before = await stateOf(other, guilds.before);

    await migrate(folderOf(CURRENT), env);
    const present = await startPresent();
    expect(await stateOf(present, guilds.before)).toEqual(before);
    expect(await stateOf(one, guilds.before)).toEqual(before);
    expect((await one.end('SIGTERM')).code).toBe(0);

    // A bot on each, while each service writes.
    const files = resources.use(temporaryFolder());
    const readers = [present, other].map(({ url }, index) => {
      const reader = resources.use(startReader(folderOf(index === 0 ? version : CURRENT)));
      return commandsOf(reader, url);
    });
    for (const [index, reader] of readers.entries()) await reader.openReplica(files.file(`${index}.db`));
    await changeInEveryWay(present, guilds.beside, other);
    const record = await changeInEveryWay(other, guilds.after, present);
    expect(await stateOf(present, guilds.after)).toEqual(await stateOf(other, guilds.after));
    expect(await stateOf(present, guilds.beside)).toEqual(await stateOf(other, guilds.beside));
    const last = await patch(present.url, guilds.beside, { prefix: '&' });
    for (const reader of readers) {
      await reader.reaches(last);
      const { settings } = await reader.replica(guilds.beside, guilds.after);
      const { prefix, language, enabledFeatures } = record;
      expect(settings).toMatchObject({
        [guilds.beside]: { prefix: '&' },
        [guilds.after]: { prefix, language, enabledFeatures },
      });
      await reader.closeReplica();
    }

    expect((await other.end('SIGTERM')).code).toBe(0);
    const written = await Promise.all(Object.values(guilds).map((guild) => stateOf(present, guild)));
    const back = await startPublished();
    expect((await present.end('SIGTERM')).code).toBe(0);
    expect(await Promise.all(Object.values(guilds).map((guild) => stateOf(back, guild)))).toEqual(written);
    await changeInEveryWay(back, guilds.back, back);
    const again = await startPresent();
    expect(await stateOf(again, guilds.back)).toEqual(await stateOf(back, guilds.back));
  });

  test('ignores that a process takes leave, and the present one beside it does not take another run for it', async () => {
    const postgres = resources.use(await startTestPostgres());
    env.DATABASE_URL = await postgres.createDatabase();
    await migrate(folder, env, node);
    const published = resources.use(await startApi(folder, env, node));
    await migrate(folderOf(CURRENT), env);
    const present = resources.use(await startApi(folderOf(CURRENT), env));
    const file = resources.use(temporaryFolder()).file('replica.db');
    const reader = resources.use(startReader(folderOf(CURRENT)));
    const guild = freshGuild();
    const run = async ({ url }: ApiProcess) => {
      const commands = commandsOf(reader, url);
      await commands.openReplica(file);
      await commands.reaches(await patch(url, guild, { prefix: '?' }));
      await commands.closeReplica();
      await patch(url, guild, { prefix: '!' });
    };
    const statesAt = async ({ url }: ApiProcess) =>
      ((await request(`${url}/guilds/${guild}/arrival`)).body.watchers as AnyRecord[]).map(({ state }) => state);

    await run(present);
    await waitUntil(async () => (await statesAt(published)).includes('away'));
    expect(await statesAt(present)).toEqual(['left']);
    await run(published);
    for (const api of [published, present]) await waitUntil(async () => (await statesAt(api)).includes('away'));
    await run(present);
    expect(await statesAt(present)).toEqual(['left']);
    const { logged } = await reader.send<ReplicaState>('replica', { guilds: [] });
    expect(logged).toEqual([]);
  });

  test('leaves a SQLite file that the present one takes over, after a kill as well', async () => {
    const guild = freshGuild();
    const before = resources.use(await startApi(folder, env, node));
    await changeInEveryWay(before, guild, before);
    const state = await stateOf(before, guild);
    await before.end('SIGKILL');
    const present = resources.use(await startApi(folderOf(CURRENT), env));
    expect(await stateOf(present, guild)).toEqual(state);
    const reader = commandsOf(resources.use(startReader(folderOf(version))), present.url);
    await reader.openReplica(resources.use(temporaryFolder()).file('replica.db'));
    await reader.reaches(await patch(present.url, guild, { prefix: '&' }));
    expect((await reader.replica(guild)).settings).toMatchObject({ [guild]: { prefix: '&' } });
    await reader.closeReplica();
  });
});
