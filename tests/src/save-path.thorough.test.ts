import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, readConfig } from '@guild-settings/api';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { APPLICATION, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import {
  executedFiles,
  freePort,
  listedFiles,
  ResourceStack,
  temporaryFolder,
  waitUntil,
} from '@guild-settings/testing';
import { afterEach, expect, test, vi } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENT = await readFile(`${ROOT}docs/architecture.md`, 'utf8');
const GUILD = GUILDS[0].id;

const inApi = (heading: string) => listedFiles(DOCUMENT, heading).map((file) => `apps/api/src/${file}`);

/** The files of the page and the client, and those by which the api finds the session. */
const WAY = listedFiles(DOCUMENT, '## The way of Save in the dashboard');
/** The files of the api that a call with a token passes, too. */
const CALL = [...inApi('## The way of a REST PATCH'), ...inApi('### The way of a tRPC call')].filter(
  (file) => !file.endsWith('/rest-routes.ts'),
);
const OBSERVERS = [...inApi('### Observers'), ...['page/page.ts', 'clock.ts'].map((file) => `apps/api/src/${file}`)];

afterEach(() => void vi.unstubAllGlobals());

/** Starts the service with its page, and logs a person in. */
async function startLoggedIn(resources: ResourceStack) {
  const folder = resources.use(temporaryFolder());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const discord = resources.use(await startWorld({ redirectUris: [`${url}/callback`] }));
  const lines: string[] = [];
  const config = readConfig({
    DASHBOARD_URL: url,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    SESSION_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: `file:${folder.file('api.db')}`,
    // Optional parts of a write are switched on.
    RATE_LIMIT_PER_MINUTE: '100000',
    CHANGE_LOG_BYTES_PER_DAY: '100000000',
  });
  const stream = { write: (line: string) => void lines.push(line) };
  const app = await createApp(config, { logger: { stream } });
  resources.use({ [Symbol.asyncDispose]: () => app.close() });
  await app.listen({ host: '127.0.0.1', port });
  const post = (to: string, body: object, headers = {}) =>
    fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const guilds = GUILDS.map(({ id, name, icon }) => ({ id, name, icon }));
  const report = { type: 'snapshot', shard: { id: 0, count: 1 }, guilds };
  await post(`${url}/trpc/presence.report`, report, { authorization: `Bearer ${tokenOf('application')}` });

  const open = (to: string, cookie = '') =>
    fetch(to, {
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', cookie },
    });
  const cookiesOf = ({ headers }: Response) =>
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0])
      .join('; ');
  const begun = await open(`${url}/login`);
  const page = begun.headers.get('location') ?? '';
  const decision = { personId: PEOPLE.manager.id, authorize: true };
  const decided = await post(page, decision, { origin: new URL(page).origin });
  const { location } = (await decided.json()) as { readonly location: string };
  const cookie = cookiesOf(await open(location, cookiesOf(begun)));
  return { url, cookie, log: () => lines.join('') };
}

/** A request of tRPC's client. */
interface PageRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The parts of the page that the test uses. Its modules are checked with the types of browsers. */
interface PageModules {
  readonly createSaver: (options: object) => { save(): Promise<void> };
  readonly DraftStore: new (
    options: object,
  ) => {
    edit(field: string, value: string): void;
  };
  readonly requestFor: (id: string) => void;
  readonly guildQuery: (guild: string) => { queryFn(context: object): Promise<object> };
}

async function pageModules(): Promise<PageModules> {
  const paths = ['settings/saver.ts', 'draft/draft-store.ts', 'settings/guild-query.ts', 'service/page-headers.ts'];
  const modules = await Promise.all(
    paths.map((path) => import(/* @vite-ignore */ `${ROOT}apps/dashboard/src/page/${path}`)),
  );
  return Object.assign({}, ...modules);
}

/** Returns the path of a source file of the page, the client or the api within the repository. */
function nameOf(url: string): string | undefined {
  const [, part, file] = /\/(apps\/dashboard|apps\/api|packages\/client)\/(?:src|dist)\/(.+)\.[jt]s$/.exec(url) ?? [];
  return part && `${part}/src/${file}.ts`;
}

/** Components and hooks of React, which do not run here. */
const RENDERED = WAY.filter((file) => file.endsWith('.tsx') || /\/use-[\w-]+\.ts$/.test(file));

test('a save passes the files that docs/architecture.md lists, from the draft to the disk and back', async () => {
  await using resources = new ResourceStack();
  const { url: origin, cookie, log } = await startLoggedIn(resources);
  const { fetch } = globalThis;
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string, request: PageRequest) => {
    if (!path.startsWith('/')) return fetch(path, request);
    const { headers, ...init } = request;
    // Without the wait until the change is in use: no process follows the guild here.
    const { prefer, ...others } = headers;
    const ofBrowser = { cookie, 'sec-fetch-site': 'same-origin' };
    const response = await fetch(`${origin}${path}`, { ...init, headers: { ...others, ...ofBrowser } });
    requests.push(response.headers.get('x-request-id') ?? '');
    return response;
  });
  const { createSaver, DraftStore, guildQuery, requestFor } = await pageModules();
  requestFor(PEOPLE.manager.id);
  const guild = GUILD;
  const theirs = await guildQuery(guild).queryFn({});
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  const store = new DraftStore({ storage, key: 'draft', theirs, declared: SPECIFIED_SETTINGS });
  const outcomes: unknown[] = [];
  const saver = createSaver({
    client: {},
    guild,
    store,
    setOutcome: (outcome: unknown) => outcomes.push(outcome),
    setIssues() {},
  });
  const save = async (prefix: string) => {
    store.edit('prefix', prefix);
    await saver.save();
    expect(outcomes.at(-1)).toMatchObject({ kind: 'saved', undo: 'possible' });
    await waitUntil(() => log().includes(`"${requests.at(-1)}"`), { message: 'its log line' });
  };
  for (const prefix of ['a', 'b', 'c']) await save(prefix);
  const [first, second] = [await executedFiles(nameOf, () => save('d')), await executedFiles(nameOf, () => save('e'))];
  const both = first.filter((file) => second.includes(file));
  const listed = [...WAY, ...CALL, ...OBSERVERS].filter((file) => !RENDERED.includes(file));
  expect(both).toEqual([...new Set(listed)].toSorted());
});

test('the listed components and hooks import each other, from the form to the saver', async () => {
  const reached = new Set(WAY.slice(0, 1));
  for (const file of reached) {
    const source = await readFile(ROOT + file, 'utf8');
    for (const [, path = ''] of source.matchAll(/ from '(\.[^']+)'/g)) {
      const imported = relative(ROOT, resolve(ROOT, dirname(file), path));
      if (WAY.includes(imported)) reached.add(imported);
    }
  }
  const page = WAY.filter((file) => file.startsWith('apps/dashboard/src/page/'));
  expect([...reached].toSorted()).toEqual(page.toSorted());
});

test('a save is at most 45 files, from the page to the disk', () => {
  const files = new Set([...WAY, ...CALL]);
  expect(files.size).toBeGreaterThan(CALL.length);
  expect(files.size).toBeLessThanOrEqual(45);
});
