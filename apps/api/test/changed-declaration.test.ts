import { writeFileSync } from 'node:fs';
import { parseCursor, versionIn, type WatchedGuild } from '@guild-settings/contract';
import type { Declaration } from '@guild-settings/contract/settings';
import { temporaryFile, waitUntil } from '@guild-settings/testing';
import { type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { openWatch } from '@guild-settings/testing/streams';
import { expect } from 'vitest';

const { guild } = IDS;
const label = { 'en-US': 'A setting' };
const xp = (value: number) => ({ xp: { kind: 'integer', min: 0, max: 100, default: value, label } }) as const;

/** Starts the service again with these settings. */
async function declare({ restart }: TestApi, settings: NonNullable<Declaration['settings']>): Promise<void> {
  using file = temporaryFile('settings.json');
  writeFileSync(file.path, JSON.stringify({ settings }));
  await restart({ SETTINGS_FILE: file.path });
}

async function send({ url, tokens }: TestApi, method: string, path: string, body?: object) {
  const response = await fetch(`${url}/guilds/${guild}${path}`, {
    method,
    headers: { authorization: `Bearer ${tokens.manager}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const { revision } = /^"(?<revision>\d+)-/.exec(response.headers.get('etag') ?? '')?.groups ?? {};
  return { status: response.status, revision, body: await response.json() };
}

const setXp = (api: TestApi, value: number | null) => send(api, 'PATCH', '', { custom: { xp: value } });

test('undoing what is undone changes nothing, also after the default has changed', async ({ api }) => {
  await declare(api, xp(5));
  await setXp(api, 9);
  await declare(api, xp(6));
  expect(await send(api, 'POST', '/history/1/undo')).toMatchObject({ revision: '2', body: { custom: { xp: 6 } } });
  expect(await send(api, 'POST', '/history/1/undo')).toMatchObject({ status: 200, revision: '2' });
});

test.for([
  ['an undo', '/history/2/undo', undefined],
  ['a restore', '/restore', { revision: 1 }],
] as const)('%s of a reset sets the value again, also where it is the default', async ([, path, body], { api }) => {
  await declare(api, xp(5));
  await setXp(api, 9);
  await declare(api, xp(9));
  expect(await setXp(api, null)).toMatchObject({ revision: '2' });
  expect(await send(api, 'POST', path, body)).toMatchObject({ revision: '3' });
  await declare(api, xp(1));
  expect(await send(api, 'GET', '')).toMatchObject({ body: { custom: { xp: 9 } } });
});

test('an undo that would set a value of the kind of before is refused', async ({ api }) => {
  await declare(api, xp(5));
  await setXp(api, 9);
  await setXp(api, null);
  await declare(api, { xp: { kind: 'text', max: 10, label } });
  expect(await send(api, 'POST', '/history/2/undo')).toMatchObject({
    status: 400,
    body: { issues: [{ pointer: '/custom/xp', message: 'expected a value of the kind "text"' }] },
  });
});

test('a record with the default for a value of another kind may not be cached for ever', async ({ api }) => {
  await declare(api, xp(5));
  await send(api, 'PATCH', '', { prefix: '?', announcement_channel: '1', beta: true, language: 'ja' });
  await send(api, 'PATCH', '', { enabledFeatures: ['a'], custom: { xp: 9 } });
  await setXp(api, null);
  const { epoch } = versionIn((await api.get(guild)).headers.get('etag') ?? '') ?? {};
  const headers = { authorization: `Bearer ${api.tokens.manager}` };
  const isImmutable = async () =>
    (await fetch(`${api.url}/guilds/${guild}?at=2&epoch=${epoch}`, { headers })).headers
      .get('cache-control')
      ?.includes('immutable');
  expect(await isImmutable()).toBe(true);
  await declare(api, { xp: { kind: 'text', max: 10, label } });
  expect(await isImmutable()).toBe(false);
});

test('the stream of a guild has the default of now after a reset under another default', async ({ api }) => {
  await declare(api, xp(5));
  await setXp(api, 9);
  await setXp(api, null);
  await declare(api, xp(6));
  const watch = await openWatch(api.url, api.tokens.application);
  await waitUntil(() => watch.ids.length > 0);
  const epoch = parseCursor(watch.ids[0] ?? '')?.epoch;
  watch.close();
  const response = await fetch(`${api.url}/guilds/${guild}/events`, {
    headers: { authorization: `Bearer ${api.tokens.manager}`, 'last-event-id': `${epoch}:1` },
  });
  const changed = /event: changed\n(?:id: .*\n)?data: (.*)\n/;
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (changed.test(text)) break;
  }
  expect(JSON.parse(changed.exec(text)?.[1] ?? 'null')).toMatchObject({
    changes: { 'custom.xp': { from: 9, to: 5 } },
    guild: { custom: { xp: 6 } },
  });
});

test('events carry values of settings that another process declares', async ({ api }) => {
  await declare(api, xp(5));
  await setXp(api, 9);
  await declare(api, { on: { kind: 'switch', label } });
  await send(api, 'PATCH', '', { prefix: '?' });
  const watch = await openWatch(api.url, api.tokens.application, { accepts: ['declaration', 'guild', 'live'] });
  await waitUntil(() => watch.events.at(-1)?.type === 'live');
  watch.close();
  const record = watch.events.find((event): event is WatchedGuild & { type: 'guild' } => event.type === 'guild');
  expect(record?.guild.custom).toEqual({ xp: 9 });
});
