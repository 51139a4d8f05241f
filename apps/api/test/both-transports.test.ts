import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { sharedApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { describe, expect, test } from 'vitest';

const { guild } = IDS;
const WHOLE = {
  id: guild,
  name: 'x',
  icon: null,
  prefix: '?',
  announcement_channel: 'c',
  beta: true,
  language: 'ru',
  enabledFeatures: ['a', 'b'],
};

type Case = [name: string, body: unknown, verdict: number, id?: string];

const TABLE: readonly Case[] = [
  ['nothing to change', {}, 200],
  ['one field', { prefix: '?' }, 200],
  ['a whole record sent back', WHOLE, 200],
  ...['no', 'true', '', 0, 1, null, []].map((beta): Case => [`${JSON.stringify(beta)} for beta`, { beta }, 400]),
  ['a prefix as a number', { prefix: 5 }, 400],
  ['a list as text', { enabledFeatures: 'reminders' }, 400],
  ['a list as an object', { enabledFeatures: { 0: 'a' } }, 400],
  ['null for the prefix', { prefix: null }, 400],
  ['null for the icon', { icon: null }, 200],
  ['null for the list', { enabledFeatures: null }, 400],
  ['null in the list', { enabledFeatures: [null] }, 400],
  ['an array for a body', [], 400],
  ['an array with a record', [WHOLE], 400],
  ['null for a body', null, 400],
  ['a number for a body', 5, 400],
  ['text for a body', 'text', 400],
  ['an unknown key', { colour: 'red' }, 400],
  ['an unknown key beside a good one', { prefix: '?', colour: 'red' }, 400],
  ['a key of another case', { Prefix: '?' }, 400],
  ['a key named __proto__', JSON.parse('{"__proto__":{"beta":true}}'), 400],
  ['a key named constructor', { constructor: {} }, 400],
  ['an over-long prefix', { prefix: 'x'.repeat(21) }, 400],
  ['a prefix of twenty emoji', { prefix: '👍'.repeat(20) }, 200],
  ['an empty prefix, which switches prefix commands off', { prefix: '' }, 200],
  ['a prefix with a space inside', { prefix: 'hey bot' }, 200],
  ['a prefix with white space at its start', { prefix: ' !' }, 400],
  ['a prefix with control characters', { prefix: 'a\u0007b' }, 400],
  ['a prefix with an invisible character', { prefix: '!\u200d' }, 400],
  ['a prefix of an emoji with a joiner', { prefix: '👩\u200d🚀' }, 200],
  ['no channel', { announcement_channel: '' }, 200],
  ['a channel', { announcement_channel: '381870553235193857' }, 200],
  ['any other channel of up to 100 characters', { announcement_channel: 'ü'.repeat(100) }, 200],
  ['an over-long channel', { announcement_channel: 'x'.repeat(101) }, 400],
  ['a channel with control characters', { announcement_channel: 'a\nb' }, 400],
  ['null for the channel', { announcement_channel: null }, 400],
  ['too many features', { enabledFeatures: Array.from({ length: 65 }, (_, i) => `f${i}`) }, 400],
  [
    'as many features as possible',
    { enabledFeatures: Array.from({ length: 64 }, (_, i) => `${i}`.padEnd(64, 'x')) },
    200,
  ],
  ['an over-long feature', { enabledFeatures: ['x'.repeat(65)] }, 400],
  ['a feature without a name', { enabledFeatures: [''] }, 400],
  ['a feature with control characters', { enabledFeatures: ['a\tb'] }, 400],
  ['a feature with another direction of text', { enabledFeatures: ['a\u202eb'] }, 400],
  ['a feature in Persian with a non-joiner', { enabledFeatures: ['می\u200cخواهم'] }, 200],
  ['a number for a feature', { enabledFeatures: [1] }, 400],
  ['an absurdly long name', { name: 'x'.repeat(17_000) }, 413],
  ['duplicate features in no order', { enabledFeatures: ['zebra', 'reminders', 'zebra'] }, 200],
  ...['en-US', 'hi', 'ru', 'ja', 'es-ES'].map((language): Case => [`the language ${language}`, { language }, 200]),
  ...['en', 'de', 'EN-us', '', null].map((language): Case => [`${language} for the language`, { language }, 400]),
  ['a lone surrogate', { prefix: '\ud800' }, 400],
  ['another id', { id: IDS.otherGuild }, 400],
  ['an id that is a number', { id: 197038439483310086n.toString().length }, 400],
  ['a 16-digit guild', {}, 400, '1970384394833100'],
  ['a 17-digit guild of somebody else', {}, 403, '19703843948331008'],
  ['a 19-digit guild', {}, 200, IDS.bigGuild],
  ['a 20-digit guild', {}, 400, '19703843948331008699'],
  ['a guild with a letter', {}, 400, '19703843948331008x'],
  ['a guild with a trailing line break', {}, 400, `${guild}\n`],
  ['a guild of hundreds of digits', {}, 400, '1'.repeat(500)],
  ['a guild of digits that are not ASCII', {}, 400, '١٩٧٠٣٨٤٣٩٤٨٣٣١٠٠٨٦'],
];

type Send = (api: TestApi, body: unknown, id: string) => Promise<{ status: number; record: unknown; issues: unknown }>;

const rest: Send = async (api, body, id) => {
  const answer = await api.patch(encodeURIComponent(id), body === 'text' ? '"text"' : body, {
    headers: { 'content-type': 'application/json' },
  });
  const json = (await answer.json()) as { issues?: unknown };
  return { status: answer.status, record: answer.ok ? json : undefined, issues: json.issues };
};

const trpc: Send = async (api, body, id) => {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  // A body that is not an object cannot contain the guild: it is the whole input, as from a careless caller.
  const input = isObject
    ? `{"guild":${JSON.stringify(id)},${JSON.stringify(body).slice(1)}`.replace(',}', '}')
    : JSON.stringify(body);
  const answer = await api.call('guilds.update', input, { headers: { 'content-type': 'application/json' } });
  const json = (await answer.json()) as {
    result?: { data: unknown };
    error?: { data: { problem: { issues?: unknown } } };
  };
  return { status: answer.status, record: json.result?.data, issues: json.error?.data.problem.issues };
};

describe('REST and tRPC agree', () => {
  const shared = sharedApi();

  test.each(TABLE)('on %s', async (_name, body, verdict, id = guild) => {
    const api = shared();
    const seen: unknown[] = [];
    for (const changed of [guild, IDS.bigGuild]) expect((await api.patch(changed, DEFAULT_SETTINGS)).status).toBe(200);
    // Twice over each transport: a request must not affect the response to the next one.
    for (const send of [rest, trpc, rest, trpc]) {
      const { status, record, issues } = await send(api, body, id);
      expect(status, send.name).toBe(verdict);
      seen.push({ record, issues: verdict === 400 && isRecord(body) ? issues : undefined });
      if (verdict === 200) expect(record).toMatchObject(stored(body as object));
    }
    for (const one of seen) expect(one).toEqual(seen[0]);
  });
});

/** Returns what is stored of a body: Discord owns the name and the icon, and the first of equal features counts. */
function stored(body: object): object {
  const fields = Object.entries(body).filter(([field]) => field !== 'name' && field !== 'icon');
  return Object.fromEntries(
    fields.map(([field, value]) => [field, Array.isArray(value) ? [...new Set(value)] : value]),
  );
}

function isRecord(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
