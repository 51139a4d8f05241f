import type { Declaration, SettingValue } from '@guild-settings/contract/settings';
import { settingsFile, type TestApi, test } from '@guild-settings/testing/api';
import { EVERY_KIND, type KindSample, LISTS, narrowed, SAMPLES } from '@guild-settings/testing/every-kind';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect } from 'vitest';

const { guild, otherGuild } = IDS;
const KINDS = Object.entries(SAMPLES);
const ALL = Object.fromEntries(KINDS.map(([name, { values }]) => [name, values[0]]));

async function declare({ restart }: TestApi, declaration: Declaration = EVERY_KIND): Promise<void> {
  using file = settingsFile(declaration);
  await restart({ SETTINGS_FILE: file.path });
}

interface Answer {
  readonly custom?: Readonly<Record<string, unknown>>;
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[];
  readonly entries?: readonly { readonly revision: number; readonly changes: Readonly<Record<string, unknown>> }[];
  readonly skipped?: readonly { readonly field: string; readonly detail: string }[];
  readonly settings?: object;
  readonly result?: { readonly data: Answer };
  readonly error?: { readonly data: { readonly problem: Answer } };
}

async function answerOf(sent: Promise<Response>): Promise<Answer> {
  const answer = (await (await sent).json()) as Answer;
  return answer.result?.data ?? answer.error?.data.problem ?? answer;
}

/** Ways to change one setting. Each returns the service's response. */
const WAYS = {
  REST: (api: TestApi, custom: object) => answerOf(api.patch(guild, { custom })),
  tRPC: (api: TestApi, custom: object) => answerOf(api.call('guilds.update', { guild, custom })),
} as const;

const customOf = async (api: TestApi, id = guild, query = '') =>
  (await answerOf(api.get(`${id}${query}`))).custom ?? {};

const post = (api: TestApi, path: string, body: object = {}) =>
  answerOf(api.send(`/guilds/${path}`, { method: 'POST', token: api.tokens.manager, body }));

describe.for(KINDS)('a setting of the kind %s', ([name, sample]) => {
  test.for(Object.entries(WAYS))(
    'takes the values of its kind and refuses others with their place, over %s',
    async ([, send], { api }) => {
      await declare(api);
      for (const [sent, value] of sentValues(sample)) {
        expect((await send(api, { [name]: sent })).custom?.[name], JSON.stringify(sent)).toEqual(value);
      }
      const before = await customOf(api);
      for (const [sent, message] of sample.refused) {
        const { issues = [] } = await send(api, { [name]: sent });
        expect(issues, JSON.stringify(sent)).toEqual([
          expect.objectContaining({
            pointer: expect.stringMatching(new RegExp(`^/custom/${name}(/|$)`)),
            message: expect.stringContaining(message),
          }),
        ]);
      }
      expect(await customOf(api)).toEqual(before);
    },
  );
});

function sentValues({ values, taken }: KindSample): readonly (readonly [unknown, SettingValue])[] {
  return [...values.map((value) => [value, value] as const), ...taken];
}

test('all kinds are in the history, undone, read as they were, and put back by null', async ({ api }) => {
  await declare(api);
  const defaults = await customOf(api);
  const changed = { ...ALL, ...LISTS };
  await api.patch(guild, { custom: changed });
  expect(await customOf(api)).toEqual(changed);
  const { entries = [] } = await answerOf(api.get(`${guild}/history`));
  expect(entries[0]?.changes).toEqual(
    Object.fromEntries(
      Object.entries(changed).map(([name, to]) => [`custom.${name}`, { from: defaults[name], to }] as const),
    ),
  );
  expect((await post(api, `${guild}/history/1/undo`)).custom).toEqual(defaults);
  expect((await post(api, `${guild}/history/2/undo`)).custom).toEqual(changed);
  expect(await customOf(api, guild, '?at=2')).toEqual(defaults);
  const unset = Object.fromEntries(Object.keys(changed).map((name) => [name, null]));
  await api.patch(guild, { custom: unset });
  expect(await customOf(api)).toEqual(defaults);
  expect((await post(api, `${guild}/restore`, { revision: 1 })).custom).toEqual(changed);
});

test('a row with very many cells that no column has is refused with the first of them', async ({ api }) => {
  await declare(api);
  const row = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`cell${n}`, n]));
  const document = { version: 1, guild, settings: { custom: { table: [row] } } };
  expect((await post(api, `${guild}/import`, document)).issues).toHaveLength(1_000);
});

test('a record that is sent back as it was read changes nothing', async ({ api }) => {
  await declare(api);
  await api.patch(guild, { custom: { ...ALL, ...LISTS } });
  const record = await (await api.get(guild)).json();
  const { headers } = await api.patch(guild, record);
  expect(headers.get('etag')).toMatch(/^"1-/);
});

test('all kinds are exported to another guild, but for what belongs to the guild of the export', async ({ api }) => {
  await declare(api);
  const custom = { ...ALL, ...LISTS };
  await api.patch(guild, { custom });
  const document = await answerOf(api.send(`/guilds/${guild}/export`, { token: api.tokens.manager }));
  const { skipped = [] } = await post(api, `${otherGuild}/import`, document);
  const foreign = ['channel', 'role', 'user', 'table', 'emojis', 'channels', 'roles', 'users'];
  expect(skipped.map(({ field }) => field).toSorted()).toEqual(foreign.toSorted());
  const expected = Object.entries(custom).filter(([name]) => !foreign.includes(name));
  expect(await customOf(api, otherGuild)).toMatchObject(Object.fromEntries(expected));
  await post(api, `${guild}/history/1/undo`);
  await post(api, `${guild}/import`, document);
  expect(await customOf(api)).toEqual(custom);
});

test('values stay where limits are narrowed, block no other change, and are not put back by an undo', async ({
  api,
}) => {
  await declare(api);
  await api.patch(guild, { custom: ALL });
  await declare(api, narrowed());
  expect(await customOf(api)).toMatchObject(ALL);
  for (const [name, sample] of KINDS) {
    const [value, other] = sample.values;
    if (sample.narrowed === undefined) continue;
    const { issues } = await answerOf(api.patch(otherGuild, { custom: { [name]: value } }));
    expect(issues, name).toHaveLength(1);
    expect((await answerOf(api.patch(guild, { custom: { [name]: other, switch: false } }))).custom).toMatchObject({
      [name]: other,
    });
    const [newest] = (await answerOf(api.get(`${guild}/history`))).entries ?? [];
    // Only values that are still valid are restored.
    const undone = await post(api, `${guild}/history/${newest?.revision}/undo`);
    expect(undone.issues?.map(({ pointer }) => pointer.split('/').slice(0, 3).join('/'))).toEqual([`/custom/${name}`]);
  }
});
