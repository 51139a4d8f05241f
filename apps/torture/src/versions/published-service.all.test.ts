import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { APPLICATION, PEOPLE, startWorld } from '@guild-settings/discord-sim/testing/world';
import {
  fetchNode,
  freePort,
  ResourceStack,
  startTestPostgres,
  type TemporaryFolder,
  temporaryFolder,
  waitUntil,
} from '@guild-settings/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AnyRecord,
  type ApiProcess,
  commandsOf,
  environmentOf,
  freshGuild,
  GUILD,
  migrate,
  patch,
  type ReplicaState,
  request,
  startApi,
  startReader,
} from './programs.ts';
import { CURRENT, folderOf, MADE, makeVersions, publishedVersions, unpackService } from './versions.ts';

/** The release line of Node that the published services ran on. */
const NODE_LINE = '22';

const EDITOR = [{ subject: 'user:53908099506183682', level: 'editor' }];

let node: string;
beforeAll(async () => {
  await makeVersions();
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

async function changed({ url }: ApiProcess): Promise<string> {
  const guild = freshGuild();
  await patch(url, guild, { prefix: '%' });
  return guild;
}

async function succeeded(sent: ReturnType<typeof request>): Promise<void> {
  const { response, body } = await sent;
  expect(response.ok, JSON.stringify(body)).toBe(true);
}

const PAGE = fileURLToPath(new URL('../../../dashboard/dist/page', import.meta.url));

/** The commands of docs/operate.md that move the variables of the dashboard to the api. */
const [MOVE_VARIABLES = ''] =
  /^moved=.*\n.*api\.env$/m.exec(readFileSync(new URL('../../../../docs/operate.md', import.meta.url), 'utf8')) ?? [];

/** Moves the variables as docs/operate.md does. Returns those of the api. */
function moveVariables(folder: TemporaryFolder, api: NodeJS.ProcessEnv, dashboard: NodeJS.ProcessEnv) {
  for (const [name, variables] of Object.entries({ api, dashboard })) {
    const lines = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
    writeFileSync(folder.file(`${name}.env`), lines.join('\n'));
  }
  execFileSync('bash', ['-c', MOVE_VARIABLES.replaceAll('/etc/guild-settings', folder.path)]);
  return parseEnv(readFileSync(folder.file('api.env'), 'utf8'));
}

/** Returns what a browser sends as a page of an origin: its cookies, and the person whom it shows. */
const asPage = (cookies: string) => ({
  cookie: cookies,
  'sec-fetch-site': 'same-origin',
  'x-requested-by': 'dashboard',
  'x-requested-for': PEOPLE.manager.id,
});

async function logIn(origin: string): Promise<string> {
  const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
  const begun = await fetch(`${origin}/login`, { redirect: 'manual' });
  const decided = await fetch(begun.headers.get('location') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ personId: PEOPLE.manager.id, authorize: true }),
  });
  const { location } = (await decided.json()) as { location: string };
  const done = await fetch(location, { redirect: 'manual', headers: { cookie: cookiesOf(begun).join('; ') } });
  expect([done.status, done.headers.get('location')]).toEqual([302, '/']);
  return cookiesOf(done).join('; ');
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
      const reader = resources.use(startReader(join(MADE, index === 0 ? version : CURRENT)));
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

  test('leaves a SQLite file that the present one takes over, after a kill as well', async () => {
    const guild = freshGuild();
    const before = resources.use(await startApi(folder, env, node));
    await changeInEveryWay(before, guild, before);
    const state = await stateOf(before, guild);
    await before.end('SIGKILL');
    const present = resources.use(await startApi(folderOf(CURRENT), env));
    expect(await stateOf(present, guild)).toEqual(state);
    const reader = commandsOf(resources.use(startReader(join(MADE, version))), present.url);
    await reader.openReplica(resources.use(temporaryFolder()).file('replica.db'));
    await reader.reaches(await patch(present.url, guild, { prefix: '&' }));
    expect((await reader.replica(guild)).settings).toMatchObject({ [guild]: { prefix: '&' } });
    await reader.closeReplica();
  });
});

describe('the published 1.0.0, without the page and the leave of a process,', () => {
  let folder: string;
  beforeAll(() => {
    folder = unpackService('1.0.0');
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

  test.each(['SQLite', 'PostgreSQL'])(
    'gives way on %s to the present one, which serves the page with the variables of the dashboard, and back',
    async (store) => {
      const port = String(await freePort());
      const origin = `http://127.0.0.1:${port}`;
      const files = resources.use(temporaryFolder());
      const discord = resources.use(await startWorld({ redirectUris: [`${origin}/callback`] }));
      const own: NodeJS.ProcessEnv = { ...environmentOf(discord, files.file('api.db')), PORT: port };
      if (store === 'PostgreSQL') {
        own.DATABASE_URL = await resources.use(await startTestPostgres()).createDatabase();
        await migrate(folder, own, node);
      }
      const published = resources.use(await startApi(folder, own, node));
      await patch(published.url, GUILD, { prefix: '?' });
      expect((await published.end('SIGTERM')).code).toBe(0);

      const variables = moveVariables(files, own, {
        DISCORD_APPLICATION_ID: APPLICATION.id,
        DASHBOARD_URL: origin,
        DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
        SESSION_KEY: Buffer.alloc(32, 7).toString('base64'),
        SUPPORT_URL: 'https://support.example/',
        API_URL: 'http://127.0.0.1:3000',
        PORT: '3003',
        DATABASE_URL: 'file:./data/dashboard.db',
        RATE_LIMIT_PER_MINUTE: '600',
      });
      cpSync(PAGE, join(folderOf(CURRENT), 'api/page'), { recursive: true });
      if (store === 'PostgreSQL') await migrate(folderOf(CURRENT), variables);
      const present = resources.use(await startApi(folderOf(CURRENT), variables));
      const document = await fetch(origin, { headers: { accept: 'text/html' } });
      expect([document.status, await document.text()]).toEqual([
        200,
        expect.stringContaining('content="https://support.example"'),
      ]);

      // Cookies of 1.0.0: the id of a session, and that there is one.
      const old = asPage(`session=${'a'.repeat(43)}; logged-in=1`);
      const calls = {
        '/session': 'GET',
        '/trpc/users.guilds': 'GET',
        '/sessions': 'GET',
        '/guilds/1': 'GET',
        '/': 'GET',
      };
      const statuses = await Promise.all(
        Object.entries(calls).map(async ([path, method]) => {
          const headers = { ...old, ...(path === '/' && { accept: 'text/html' }) };
          return (await fetch(`${origin}${path}`, { method, headers })).status;
        }),
      );
      expect(statuses).toEqual([401, 401, 401, 401, 200]);
      expect(present.stdout()).not.toMatch(/"level":[56]0/);

      const cookies = await logIn(origin);
      const input = encodeURIComponent(JSON.stringify({ guild: GUILD }));
      const read = await fetch(`${origin}/trpc/guilds.get?input=${input}`, { headers: asPage(cookies) });
      expect([read.status, await read.json()]).toMatchObject([200, { result: { data: { prefix: '?' } } }]);
      expect((await request(`${origin}/guilds/${GUILD}`)).body).toMatchObject({ prefix: '?' });

      expect((await present.end('SIGTERM')).code).toBe(0);
      const back = resources.use(await startApi(folder, own, node));
      expect((await request(`${back.url}/guilds/${GUILD}`)).body).toMatchObject({ prefix: '?' });
    },
  );
});
