import { defineSettings } from '@guild-settings/contract/settings';
import { startTestPostgres, waitUntil } from '@guild-settings/testing';
import { revisionTagIn, startApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { migratedDatabase } from '@guild-settings/testing/stores';
import { type Message, openEvents } from '@guild-settings/testing/streams';
import { afterAll, describe, expect, test } from 'vitest';
import { declarationTag } from '../src/declaration/read-declaration.ts';
import { openApiDocument } from '../src/openapi/document.ts';

const { guild, otherGuild } = IDS;

const ALL_SET = {
  prefix: '?',
  announcement_channel: '381870553235193857',
  beta: true,
  language: 'ja',
  enabledFeatures: ['reminders', 'of-another-bot'],
};

const names = (count: number) => Array.from({ length: count }, (_, index) => `feature-${index}`);

/** Values that not every setting accepts: wrong types, and a text with each flaw. */
const TYPES = [1, null, {}, [], true, 'text', ['text', 1, null], { 0: 'a' }];
const FLAWED = [
  'x'.repeat(21),
  'x'.repeat(101),
  '😀'.repeat(20),
  '😀'.repeat(101),
  ' !',
  '\u00a0!',
  'a\u0000b',
  '\u009f',
  'a\nb',
  '\ud800',
  'a\udc00b',
  'a\u200bb',
  '\u00ad!',
  '\ufeff!',
  ` ${'\u0007'.repeat(30)}\u200b\ud800`,
  'en',
  'en-us',
  '',
];
const FLAWED_LISTS = [
  [''],
  ['ok', ''],
  names(64),
  names(65),
  [...names(64), ''],
  ['twice', 'other', 'twice'],
  ['x'.repeat(65)],
  ['😀'.repeat(64), '😀'.repeat(65)],
  [' a', 'b '],
  ['a\u0000b', 'ok', '\ud800', 'a\u200bb'],
  [`${'\u0007'.repeat(70)}\u200b`, 5, ['nested'], { name: 'nested' }],
];
const LISTS = { enabledFeatures: [...TYPES, ...FLAWED_LISTS] };
const SETTINGS = {
  prefix: [...TYPES, ...FLAWED],
  announcement_channel: [...TYPES, ...FLAWED],
  beta: [...TYPES, 'true', 0],
  language: [...TYPES, ...FLAWED.slice(-3), 'ja ', 'fr'],
  ...LISTS,
};
const ONE_EACH: readonly Record<string, unknown>[] = Object.entries(SETTINGS).flatMap(([field, values]) =>
  values.map((value) => ({ [field]: value })),
);
const SEVERAL: readonly Record<string, unknown>[] = [
  { unknown: 1 },
  { ['long'.repeat(30)]: 1, 'a/b~c': 1 },
  { enabledFeatures: 'x', language: 'fr', beta: 'on', announcement_channel: 5, prefix: null, colour: 'red', size: 1 },
  { zebra: 1, enabledFeatures: ['', 5, 'x'.repeat(65)], prefix: ` ${'x'.repeat(21)}`, beta: 0 },
  { constructor: 1, toString: 1 },
];
/** Patches with fields owned by Discord, and bodies of another type. */
const PATCHES: readonly unknown[] = [
  { id: otherGuild },
  { id: 5 },
  { id: otherGuild, prefix: 5, colour: 'red' },
  { id: guild, name: 'ignored', icon: null },
  { name: 5, icon: 5 },
  ...[null, 5, [], 'text'].map((body) => JSON.stringify(body)),
  '{"__proto__":1}',
  '{"prefix":',
  '{"prefix":"a","prefix":5}',
];
const HEADERS = { 'content-type': 'application/json' };

const post = (api: TestApi, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.send(`/guilds/${guild}/${path}`, { method: 'POST', token: api.tokens.manager, body, headers });

test('the OpenAPI document is the committed one', () =>
  expect(`${JSON.stringify(openApiDocument(), null, 2)}\n`).toMatchFileSnapshot('../openapi.json'));

test('the tag of a declaration is the same in every version of the service with these specified settings', () => {
  const label = { 'en-US': 'A label' };
  const { settings } = defineSettings({
    settings: {
      on: { kind: 'switch', label },
      rate: { kind: 'integer', min: 0, max: 9, default: 1, label },
      level: { kind: 'choice', choices: { a: label, b: label }, default: 'a', label },
      channel: { kind: 'channel', label },
      message: { kind: 'text', max: 9, label },
    },
  });
  return expect(`${declarationTag({ settings })}\n`).toMatchFileSnapshot('golden/declaration-tag.txt');
});

const golden = (transcript: Transcript, name: string) =>
  expect(String(transcript)).toMatchFileSnapshot(`golden/${name}.txt`);

/** Makes the changes whose events, history and export are golden, one after another. */
async function* changes(api: TestApi) {
  const { manager, otherManager, application } = api.tokens;
  const reason = { 'x-audit-log-reason': 'because' };
  const onBehalf = { 'x-on-behalf-of': IDS.owner };
  yield () => api.patch(guild, { prefix: '?', beta: true }, { headers: reason });
  yield () => api.patch(guild, { ...ALL_SET, announcement_channel: 'news' }, { token: otherManager });
  yield () => api.patch(guild, { prefix: '', enabledFeatures: ['b', 'reminders', 'b', '😀'] }, { token: application });
  yield () => api.call('guilds.update', { guild, announcement_channel: '', language: 'hi' });
  yield () => api.patch(guild, { beta: false, language: 'ru' }, { token: application, headers: onBehalf });
  yield () => api.send(`/guilds/${guild}/features/polls`, { method: 'PUT', token: manager });
  yield () => api.send(`/guilds/${guild}/features/b`, { method: 'DELETE', token: manager });
  yield () => post(api, 'history/3/undo');
  yield () => post(api, 'history/7/undo', undefined, reason);
  yield () => post(api, 'history/8/undo');
  yield () => post(api, 'restore', { revision: 2 });
  yield () => post(api, 'restore', { revision: 0 });
  yield () => post(api, 'import', { version: 1, guild: otherGuild, settings: { ...ALL_SET, later: 1 }, history: {} });
  yield () => api.report({ type: 'present', guild: { id: guild, name: 'Renamed', icon: null } });
  yield () =>
    api.send('/imports', {
      method: 'POST',
      token: application,
      body: { guilds: [{ guild, settings: { ...ALL_SET, language: 'es-ES' } }] },
    });
}

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

describe.each([
  { store: 'sqlite', env: async () => ({}) },
  { store: 'postgresql', env: async () => ({ DATABASE_URL: await migratedDatabase(server) }) },
])('on $store, byte for byte as it was recorded, is', ({ store, env }) => {
  test('the record, over every way to read it', async () => {
    await using api = await startApi(await env());
    const text = new Transcript();
    const readAll = async (what: string) => {
      await text.answer(`${what}, over REST`, await api.get(guild));
      await text.answer(`${what}, over tRPC`, await api.call('guilds.get', { guild }));
      for (const at of [0, 1])
        await text.answer(
          `${what}, at ${at}`,
          await api.send(`/guilds/${guild}?at=${at}`, { token: api.tokens.owner }),
        );
      const headers = { 'if-match': '"999"' };
      await text.answer(`${what}, in a 412`, await api.patch(guild, { prefix: '$', language: 'hi' }, { headers }));
      const etag = (await api.get(guild)).headers.get('etag') ?? '';
      const known = { 'if-none-match': etag === '"0"' ? '"1"' : etag };
      await text.answer(`${what}, to its entity tag`, await api.get(guild, { headers: known }));
    };
    await readAll('defaults');
    await text.answer('a patch', await api.patch(guild, ALL_SET));
    await readAll('all set');
    await text.answer('the same patch', await api.patch(guild, ALL_SET));
    await golden(text, 'record');
  });

  test('the problem of each flaw of a patch', async () => {
    await using api = await startApi(await env());
    const [rest, trpc] = [new Transcript(), new Transcript()];
    for (const body of [...ONE_EACH, ...SEVERAL, ...PATCHES])
      await rest.answer(body, await api.patch(guild, body, { headers: HEADERS }));
    await api.patch(guild, { ...ALL_SET, prefix: '!' });
    for (const body of [...SEVERAL, { prefix: 5 }, { id: otherGuild }, { enabledFeatures: [''] }])
      await trpc.answer(body, await api.call('guilds.update', { ...body, guild }));
    await golden(rest, 'patch-problems');
    await golden(trpc, 'update-problems');
  });

  test('the problem of each flaw of an import, of a feature and of a field of the history', async () => {
    await using api = await startApi(await env());
    const text = new Transcript();
    const flawed = [
      { prefix: 5, beta: 'on' },
      { prefix: 'x'.repeat(21), announcement_channel: 'x'.repeat(101), language: 'fr' },
      { prefix: 'a\u200bb', announcement_channel: '\u0000', enabledFeatures: ['', 5, 'a\u200bb', 'x'.repeat(65)] },
      { enabledFeatures: names(65), colour: 'red' },
      { language: null, enabledFeatures: {}, announcement_channel: [] },
      { colour: 'red' },
      { prefix: '!', colour: 'red' },
      5,
      null,
    ];
    for (const settings of flawed) {
      const document = { version: 1, guild, settings };
      await text.answer(document, await post(api, 'import?dry_run=true', document));
    }
    const rows = [...flawed.map((settings) => ({ guild, settings })), { guild: 'x', settings: { prefix: 5 } }, null];
    const request = { method: 'POST', token: api.tokens.application, body: { guilds: rows } };
    await text.answer('rows of an import', await api.send('/imports?dry_run=true', request));
    for (const feature of ['x'.repeat(65), 'a\u0000b', 'a\u200bb', ' a', '😀'.repeat(65)]) {
      const path = `/guilds/${guild}/features/${encodeURIComponent(feature)}`;
      for (const method of ['PUT', 'DELETE', 'GET'])
        await text.answer(`${method} ${path}`, await api.send(path, { method, token: api.tokens.manager }));
    }
    for (const field of ['colour', '', 'id', 'custom.x', 'prefix'])
      await text.answer(`field=${field}`, await api.call('guilds.history', { guild, field }));
    const history = `/guilds/${guild}/history?field=colour&kind=other`;
    await text.answer(history, await api.send(history, { token: api.tokens.manager }));
    await golden(text, 'other-problems');
  });

  test('what a sequence of changes leaves: answers, events, history and exports', async () => {
    await using api = await startApi(await env());
    const [events, text] = [new Transcript(), new Transcript()];
    const { manager: token, application } = api.tokens;
    const streams = {
      watch: await openRawStream(`${api.url}/trpc/guilds.watch`, application, ['guild', 'guilds']),
      follow: await openRawStream(`${api.url}/guilds/${guild}/events`, token, ['guild', 'changed', 'presence']),
    };
    await streams.follow.wait(1);
    let count = 0;
    for await (const change of changes(api)) {
      const response = await change();
      if (response.ok) count += 1;
      await text.answer(`change ${count}`, response);
      await streams.watch.wait(count);
      await streams.follow.wait(count + 1);
    }
    await api.patch(otherGuild, ALL_SET);
    events.note('watch', await streams.watch.wait(count + 1));
    events.note('follow', await streams.follow.wait(count + 1));
    const backlog = await openRawStream(`${api.url}/trpc/guilds.watch`, application, ['reset', 'guilds', 'live']);
    events.note('watch from the start', await backlog.wait(3));
    for (const { close } of [...Object.values(streams), backlog]) close();
    for (const path of [
      'history',
      'history?field=enabledFeatures',
      'history?kind=platform',
      'history/3',
      'export',
      'export?history=true',
      ...[1, 2, 3, 7, 11, 12].map((at) => `?at=${at}`),
    ])
      await text.answer(path, await api.send(`/guilds/${guild}/${path}`.replace('/?', '?'), { token }));
    await text.answer('export of defaults', await api.send(`/guilds/${IDS.bigGuild}/export`, { token }));
    // PostgreSQL orders the fields of a stored change by the lengths of their names.
    await golden(events, `events.${store}`);
    await golden(text, `changes.${store}`);
  });
});

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Records responses without the parts that differ between runs: times and epochs. */
class Transcript {
  readonly #lines: string[] = [];
  readonly #starts: string[] = [];

  note(what: string, ...lines: readonly string[]): void {
    this.#lines.push(`# ${what}`, ...lines, '');
  }

  async answer(what: unknown, response: Response): Promise<void> {
    const title = typeof what === 'string' ? what : JSON.stringify(what);
    this.note(
      title.replaceAll(/\p{C}/gu, escaped),
      `${response.status} ${revisionTagIn(response) ?? '-'}`,
      this.#shortened(await response.text()),
    );
  }

  /** Removes the part before the issues of a problem if an earlier response had the same. */
  #shortened(body: string): string {
    const issues = body.indexOf('"issues":');
    if (issues === -1) return body;
    const start = body.slice(0, issues);
    const known = this.#starts.indexOf(start);
    if (known !== -1) return `(start ${known}) ${body.slice(issues)}`;
    this.#starts.push(start);
    return body;
  }

  toString(): string {
    return this.#lines
      .join('\n')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
      .replaceAll(/^id: [^:\n]+:/gm, 'id: EPOCH:')
      .replaceAll(/"epoch":"[^"]+"/g, '"epoch":"EPOCH"');
  }
}

/**
 * Opens a stream of events. Returns a function that waits for a number of events of some types, and returns their text.
 */
async function openRawStream(url: string, token: string, types: readonly string[]) {
  const parse = ({ data }: Message) => (JSON.parse(data) as { readonly type: string }).type;
  const { events, texts, close } = await openEvents(url, { token, parse });
  const received = () => texts.filter((_text, index) => types.includes(events[index] ?? ''));
  const wait = async (count: number) => {
    await waitUntil(() => received().length >= count);
    return received().join('\n\n');
  };
  return { wait, close };
}
