import { describe, expect, test } from 'vitest';
import { sharedApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';

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

/** The settings of a guild without changes, at which each case begins. */
const DEFAULTS = { prefix: '!', announcement_channel: '', beta: false, language: 'en-US', enabledFeatures: [] };

/** The status that both transports return for a body. */
const TABLE: readonly [name: string, body: unknown, verdict: number, id?: string][] = [
  ['nothing to change', {}, 200],
  ['one field', { prefix: '?' }, 200],
  ['a whole record sent back', WHOLE, 200],
  ['a boolean as text', { beta: 'no' }, 400],
  ['a boolean as other text', { beta: 'true' }, 400],
  ['a boolean as a number', { beta: 1 }, 400],
  ['a prefix as a number', { prefix: 5 }, 400],
  ['a list as text', { enabledFeatures: 'reminders' }, 400],
  ['a list as an object', { enabledFeatures: { 0: 'a' } }, 400],
  ['null for the prefix', { prefix: null }, 400],
  ['null for beta', { beta: null }, 400],
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
  ['an over-long channel', { announcement_channel: 'x'.repeat(101) }, 400],
  ['too many features', { enabledFeatures: Array.from({ length: 65 }, (_, i) => `f${i}`) }, 400],
  ['an over-long feature', { enabledFeatures: ['x'.repeat(65)] }, 400],
  ['an absurdly long name', { name: 'x'.repeat(17_000) }, 413],
  ['duplicate features', { enabledFeatures: ['a', 'b', 'a'] }, 200],
  ['an unknown language', { language: 'xx' }, 400],
  ['a lone surrogate', { prefix: '\ud800' }, 400],
  ['another id', { id: IDS.otherGuild }, 400],
  ['an id that is a number', { id: 197038439483310086n.toString().length }, 400],
  ['a 16-digit guild', {}, 400, '1970384394833100'],
  ['a 17-digit guild of somebody else', {}, 403, '19703843948331008'],
  ['a 19-digit guild', {}, 200, IDS.bigGuild],
  ['a 20-digit guild', {}, 400, '19703843948331008699'],
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
  // A body that is no object has no room for the guild: it is the whole input, as a careless caller would send it.
  const input = isObject
    ? `{"guild":${JSON.stringify(id)},${JSON.stringify(body).slice(1)}`.replace(',}', '}')
    : JSON.stringify(body);
  const answer = await api.send('/trpc/guilds.update', {
    method: 'POST',
    token: api.tokens.manager,
    body: input,
    headers: { 'content-type': 'application/json' },
  });
  const json = (await answer.json()) as {
    result?: { data: unknown };
    error?: { data: { problem: { issues?: unknown } } };
  };
  return { status: answer.status, record: json.result?.data, issues: json.error?.data.problem.issues };
};

describe('REST and tRPC agree', () => {
  const orders = [
    { order: [rest, trpc], shared: sharedApi() },
    { order: [trpc, rest], shared: sharedApi() },
  ];

  test.each(TABLE)('on %s', async (_name, body, verdict, id = guild) => {
    const seen: unknown[] = [];
    for (const { order, shared } of orders) {
      const api = shared();
      for (const changed of [guild, IDS.bigGuild]) expect((await api.patch(changed, DEFAULTS)).status).toBe(200);
      // Twice over each transport: nothing that one request does may change the response to the next one.
      for (const send of [...order, ...order]) {
        const { status, record, issues } = await send(api, body, id);
        expect(status, send.name).toBe(verdict);
        seen.push({ record, issues: verdict === 400 && isRecord(body) ? issues : undefined });
      }
    }
    for (const one of seen) expect(one).toEqual(seen[0]);
  });
});

function isRecord(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
