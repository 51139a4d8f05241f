import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createApp, readConfig } from '../apps/api/src/index.ts';
import { createGuildSettingsClient, withRequest } from '../packages/client/src/index.ts';
import { SPECIFIED_SETTINGS } from '../packages/contract/src/settings/index.ts';
import { APPLICATION, GUILDS, PEOPLE, startWorld, tokenOf } from '../packages/discord-sim/src/testing/world.ts';
import { openReplica } from '../packages/replica/src/index.ts';
import { temporaryFolder } from '../packages/testing/src/files.ts';
import { freePort } from '../packages/testing/src/programs.ts';

/**
 * Prints the files of the repository that are executed during one request, by V8's coverage: `node
 * --conditions=@guild-settings/source scripts/files-of.mjs patch`. Components and hooks of React do not run here.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const kind = process.argv[2];
const [guild, token] = [GUILDS[0].id, tokenOf('application')];
const folder = temporaryFolder();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const discord = await startWorld({ redirectUris: [`${url}/callback`] });
const page = { DASHBOARD_URL: url, DISCORD_CLIENT_SECRET: APPLICATION.clientSecret, SESSION_KEY: 'A'.repeat(43) };
const app = await createApp(
  readConfig({
    // Only a service with a page has sessions; the page must have been built.
    ...(kind === 'save' && page),
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DATABASE_URL: `file:${folder.file('api.db')}`,
    LOG_LEVEL: 'silent',
  }),
);
await app.listen({ host: '127.0.0.1', port });
const client = createGuildSettingsClient({ url, token });
const guilds = GUILDS.map(({ id, name, icon }) => ({ id, name, icon }));
await client.presence.report.mutate({ type: 'snapshot', shard: { id: 0, count: 1 }, guilds });

async function send(method, path, body, more) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...more };
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`Expected a success, received ${response.status} ${await response.text()}`);
  await response.text();
}

/** Logs the manager in at the page, and returns the cookie. */
async function login() {
  const ofBrowser = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const open = (to, cookie = '') => fetch(to, { redirect: 'manual', headers: { ...ofBrowser, cookie } });
  const withoutAttributes = (text) => text.split(';', 1)[0];
  const cookieOf = ({ headers }) => headers.getSetCookie().map(withoutAttributes).join('; ');
  const begun = await open(`${url}/login`);
  const consent = begun.headers.get('location');
  const headers = { origin: new URL(consent).origin, 'content-type': 'application/json' };
  const body = JSON.stringify({ personId: PEOPLE.manager.id, authorize: true });
  const { location } = await (await fetch(consent, { method: 'POST', headers, body })).json();
  return cookieOf(await open(location, cookieOf(begun)));
}

/** Imports an export of a module of the page by name. */
async function ofPage(name) {
  const sources = `${ROOT}apps/dashboard/src/page/`;
  const exported = new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`, 'm');
  const paths = readdirSync(sources, { recursive: true }).filter((path) => path.endsWith('.ts'));
  const path = paths.find((path) => exported.test(readFileSync(sources + path, 'utf8')));
  return (await import(sources + path))[name];
}

/**
 * Each returns a function that sends one request. `event`: until it is in the memory of a bot; `save`: from the draft
 * to the disk and back.
 */
const REQUESTS = {
  patch: () => (prefix) => send('PATCH', `/guilds/${guild}`, { prefix }),
  trpc: () => (prefix) => send('POST', '/trpc/guilds.update', { guild, prefix }),
  client: () => (prefix) => client.guilds.update.mutate({ guild, prefix }, withRequest({ auditReason: 'a reason' })),
  event: () => {
    const shards = { ids: [0], count: 1 };
    openReplica({ apiUrl: url, credentials: token, path: folder.file('bot.db'), shards });
    return (prefix) => send('PATCH', `/guilds/${guild}`, { prefix }, { prefer: 'wait=10' });
  },
  save: async () => {
    const cookie = await login();
    const { fetch } = globalThis;
    globalThis.fetch = (to, { headers: { prefer, ...headers }, ...init }) =>
      fetch(new URL(to, url), { ...init, headers: { ...headers, cookie, 'sec-fetch-site': 'same-origin' } });
    (await ofPage('requestFor'))(PEOPLE.manager.id);
    const theirs = await (await ofPage('guildQuery'))(guild).queryFn({});
    const storage = { getItem: () => null, setItem() {}, removeItem() {} };
    const [DraftStore, edit] = [await ofPage('DraftStore'), await ofPage('edit')];
    const store = new DraftStore({ storage, key: 'draft', theirs, declared: SPECIFIED_SETTINGS });
    const saver = (await ofPage('createSaver'))({ client: {}, guild, store, setOutcome() {}, setIssues() {} });
    return (prefix) => saver.save(store.update(edit, 'prefix', prefix));
  },
};

if (!Object.hasOwn(REQUESTS, kind ?? '')) {
  console.error(`Expected one of ${Object.keys(REQUESTS).join(', ')}, received ${kind ?? 'no name'}.`);
  process.exit(2);
}
const run = await REQUESTS[kind]();
// Fills caches, and compiles lazily compiled code.
for (const prefix of ['a', 'b', 'c']) await run(prefix);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
// Earlier work ends before the count begins.
await delay(300);
await session.post('Profiler.takePreciseCoverage');
await run('d');
const { result } = await session.post('Profiler.takePreciseCoverage');
const [, observers] = /### Observers\n([^#]+)/.exec(readFileSync(`${ROOT}docs/architecture.md`, 'utf8'));
const files = result
  .filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0))
  .map(({ url: source }) => source.replace(`file://${ROOT}`, ''))
  .filter((file) => /^(?:apps|packages)\/(?!discord-sim|testing)[\w-]+\/src\//.test(file));
const isObserver = (file) => observers.includes(`\`${file.split('/src/')[1]}\``);
const partOf = (file) => file.split('/', 2).join('/') + (isObserver(file) ? ', observers' : '');
const byPart = Object.groupBy(files.toSorted(), partOf);
for (const [part, names] of Object.entries(byPart)) console.log([`${part}: ${names.length}`, ...names].join('\n  '));
process.exit();
