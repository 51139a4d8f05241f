import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Declaration, DeclaredSettings, defineSettings } from '@guild-settings/contract/settings';
import { startWorld } from '@guild-settings/discord-sim/testing/world';
import { fetchNode, ResourceStack, temporaryFolder } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declarationTag } from '../../../api/src/declaration/read-declaration.ts';
import { openApiDocument } from '../../../api/src/openapi/document.ts';
import {
  type AnyRecord,
  type ApiProcess,
  commandsOf,
  environmentOf,
  GUILD,
  patch,
  startApi,
  startReader,
  TOKEN,
} from './programs.ts';
import { CURRENT, folderOf, MADE, makeVersions, publishedVersions, unpackService } from './versions.ts';

/** The release line of Node that the published services ran on. */
const NODE_LINE = '22';

const label = { 'en-US': 'A setting', ja: '設定' };
const ID = '381870553235193857';

/** A declaration with all that there was in 1.0.0. */
const FIRST = defineSettings({
  groups: { welcome: { label, description: label, enabledBy: 'welcomeOn' } },
  settings: {
    welcomeOn: { kind: 'switch', group: 'welcome', label },
    message: {
      kind: 'text',
      lines: 'many',
      max: 99,
      default: 'Hi {user}',
      group: 'welcome',
      label,
      description: label,
    },
    words: { kind: 'text', max: 9, many: { max: 3 }, label },
    rate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label },
    rates: { kind: 'integer', min: 0, max: 9, many: { max: 3 }, default: [1], label },
    pause: { kind: 'duration', min: 0, max: 86_400, default: 60, label },
    log: { kind: 'channel', types: ['text', 'forum'], label },
    quiet: { kind: 'channel', many: { max: 25 }, label },
    mute: { kind: 'role', label },
    roles: { kind: 'role', many: { max: 3 }, label },
    level: { kind: 'choice', choices: { off: label, all: { ja: 'すべて' } }, default: 'off', label },
    levels: { kind: 'choice', choices: { one: label, two: label }, many: { max: 2 }, label },
    premium: { kind: 'switch', setBy: 'application', label },
  },
  features: { music: { label, description: label } },
  defaults: { prefix: '?', language: 'ja' },
});

const CHANGES: readonly AnyRecord[] = [
  {},
  { prefix: '$', custom: { welcomeOn: true, message: 'a\nb', words: ['a', 'a', 'b'], rate: 7, rates: [3, 1] } },
  {
    custom: { pause: 3_600, log: ID, quiet: [ID], mute: ID, roles: [ID], level: 'all', levels: ['two'], premium: true },
  },
  { custom: { rate: null, roles: [], log: '' } },
  { custom: { rate: 101, rates: [1.5, 10], words: ['x'.repeat(10), ''], pause: -1, log: 'here', level: 'none' } },
  { custom: { welcomeOn: 'yes', message: 5, quiet: ID, levels: ['three'], unknown: 1 }, beta: 1 },
];

/** The settings that a later version declares beside it. */
const LATER = defineSettings({
  ...FIRST,
  settings: {
    ...FIRST.settings,
    xp: { kind: 'number', min: 0, max: 10, decimals: 2, default: 1, label },
    zone: { kind: 'timeZone', label },
    at: { kind: 'time', zone: 'zone', default: '09:00', label },
    color: { kind: 'color', default: '#5865F2', label },
    wave: { kind: 'emoji', label },
    owner: { kind: 'user', label },
    rewards: {
      kind: 'table',
      max: 3,
      columns: { level: { kind: 'integer', min: 1, max: 99, label }, role: { kind: 'role', label } },
      key: ['level'],
      label,
    },
    hello: { kind: 'text', max: 99, placeholders: { user: label }, label },
  },
});

const ADDED = {
  xp: 1.5,
  zone: 'Europe/Berlin',
  at: '10:30',
  color: '#58F0AA',
  wave: '👋',
  owner: ID,
  rewards: [{ level: 5, role: ID }],
  hello: 'Hi {user}',
};

const resources = new ResourceStack();
const [version = ''] = publishedVersions();
let startPublished: () => Promise<ApiProcess>;
let startPresent: (declaration: Declaration) => Promise<ApiProcess>;
beforeAll(async () => {
  await makeVersions();
  const node = await fetchNode(NODE_LINE);
  const files = resources.use(temporaryFolder());
  const discord = resources.use(await startWorld());
  let started = 0;
  const environment = (declaration: Declaration) => {
    started += 1;
    writeFileSync(files.file(`${started}.json`), JSON.stringify(declaration));
    return { ...environmentOf(discord, files.file(`${started}.db`)), SETTINGS_FILE: files.file(`${started}.json`) };
  };
  startPublished = async () => resources.use(await startApi(unpackService(version), environment(FIRST), node));
  startPresent = async (declaration) => resources.use(await startApi(folderOf(CURRENT), environment(declaration)));
});
afterAll(() => resources[Symbol.asyncDispose]());

const headers = { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'identity' };

/** Returns what a service answers to the same requests, without epochs and times. */
async function transcript({ url }: ApiProcess): Promise<string[]> {
  const lines: string[] = [];
  const send = async (method: string, path: string, body?: object) => {
    const json = body && { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers, ...json });
    const tag = response.headers.get('etag')?.replace(/^("\d+-)[0-9a-z]{10}(?=[0-9a-f]{8}"$)/, '$1');
    lines.push(timeless(`${method} ${path} ${json?.body ?? ''}\n${response.status} ${tag} ${await response.text()}`));
  };
  const path = `/guilds/${GUILD}`;
  await send('GET', '/settings');
  for (const change of CHANGES) await send('PATCH', path, change);
  await send('POST', `${path}/history/3/undo`, {});
  await send('POST', `${path}/restore`, { revision: 1 });
  for (const query of ['', '?at=2', '/history', '/history?field=custom.rate', '/export'])
    await send('GET', path + query);
  return [...lines, timeless(await firstEvents(`${url}${path}/events`))];
}

function timeless(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '-');
}

/** Returns the events of a guild until its arrival is sent. */
async function firstEvents(url: string): Promise<string> {
  const aborter = new AbortController();
  const { body } = await fetch(url, { headers, signal: aborter.signal });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (/event: arrival\n.*\n.*\n\n/.test(text)) break;
  }
  aborter.abort();
  return text;
}

test('a declaration of 1.0.0 has the records, refusals, history, tag, export and events that it had, byte for byte', async () => {
  const [before, now] = [await transcript(await startPublished()), await transcript(await startPresent(FIRST))];
  expect(now).toEqual(before);
});

test('a declaration of 1.0.0 has the types in the document that it had, byte for byte', async () => {
  const published = await (await fetch(`${(await startPublished()).url}/openapi.json`)).json();
  const present = openApiDocument(new DeclaredSettings(FIRST, declarationTag(FIRST)));
  const customIn = (document: unknown, schema: string) => {
    const { custom } = (document as Document).components.schemas[schema]?.properties ?? {};
    // A text of many lines takes more line breaks than 1.0.0 did.
    return JSON.stringify(custom, (name, value: unknown) => (name === 'message' ? undefined : value));
  };
  for (const schema of ['Guild', 'GuildPatch', 'RecordSettings'])
    expect(customIn(present, schema), schema).toBe(customIn(published, schema));
});

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: { readonly custom?: unknown } }>>;
  };
}

test('a replica of 1.0.0 keeps the settings that it knows beside a service with kinds of later', async () => {
  const { url } = await startPresent(LATER);
  const reader = commandsOf(resources.use(startReader(join(MADE, version))), url);
  const known = { rate: 7, words: ['a'], log: ID };
  const path = resources.use(temporaryFolder()).file('replica.db');
  await reader.openReplica(path);
  await reader.reaches(await patch(url, GUILD, { prefix: '$', custom: { ...known, ...ADDED } }));
  const expected = { prefix: '$', language: 'ja', custom: { pause: 60, ...known } };
  const { settings, logged } = await reader.replica(GUILD);
  expect(settings[GUILD]).toMatchObject(expected);
  expect(Object.keys(settings[GUILD]?.custom ?? {})).toEqual([...Object.keys(FIRST.settings), 'hello']);
  expect(logged).toEqual([]);
  // From its file, before the service is reached.
  await reader.closeReplica();
  await reader.openReplica(path);
  expect((await reader.replica(GUILD)).settings[GUILD]).toMatchObject(expected);
  await reader.closeReplica();
});

test('a replica of 1.0.0 finds the name that its bot knows beside a service in which the setting is renamed', async () => {
  const { rate, ...others } = LATER.settings ?? {};
  if (rate === undefined) throw new Error('Expected the setting rate');
  const { url } = await startPresent({ ...LATER, settings: { speed: { ...rate, was: 'rate' }, ...others } });
  const reader = commandsOf(resources.use(startReader(join(MADE, version))), url);
  await reader.openReplica(resources.use(temporaryFolder()).file('replica.db'));
  await reader.reaches(await patch(url, GUILD, { custom: { speed: 7 } }));
  expect((await reader.replica(GUILD)).settings[GUILD]).toMatchObject({ custom: { rate: 7, speed: 7 } });
  await reader.closeReplica();
});
