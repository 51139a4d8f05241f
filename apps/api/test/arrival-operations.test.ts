import { Arrival } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { revisionIn, type Sent, sharedApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { openTestWatcher, type TestWatcher } from '@guild-settings/testing/streams';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const { guild } = IDS;
const WAIT = { prefer: 'wait=10' };

const api = sharedApi();
let bot: TestWatcher;
beforeAll(async () => {
  bot = await openTestWatcher(api());
});
afterAll(() => bot.close());

const send = (path: string, sent: Sent) =>
  api().send(path, { method: 'POST', token: api().tokens.application, ...sent });
const newestEvent = () => Number(bot.ids.at(-1)?.split(':')[1]);
const arrivalOf = async () => Arrival.parse(await (await send(`/guilds/${guild}/arrival`, { method: 'GET' })).json());

/** Makes a change that the bot has. @returns its revision */
async function arrivedChange(): Promise<number> {
  const { headers } = await api().patch(guild, { prefix: `${newestEvent()}` });
  const revision = revisionIn({ headers });
  await waitUntil(() => newestEvent() === revision);
  await bot.acknowledge();
  return revision;
}

/** An operation over both transports. `at`: a change of which it puts something back. */
interface TestOperation {
  readonly rest: (at: number) => { readonly path: string } & Sent;
  readonly procedure: string;
  readonly input: (at: number) => object;
}

const document = { version: 1, guild, settings: { language: 'ja', beta: true } };

const OPERATIONS: Readonly<Record<string, TestOperation>> = {
  'an undo': {
    rest: (at) => ({ path: `/history/${at}/undo` }),
    procedure: 'guilds.undo',
    input: (revision) => ({ revision }),
  },
  'a restore': {
    rest: (at) => ({ path: '/restore', body: { revision: at - 1 } }),
    procedure: 'guilds.restore',
    input: (at) => ({ revision: at - 1 }),
  },
  'an import': {
    rest: () => ({ path: '/import', body: document }),
    procedure: 'guilds.import',
    input: () => ({ document }),
  },
  'a switch of a feature': {
    rest: () => ({ path: '/features/reminders', method: 'PUT' }),
    procedure: 'guilds.enableFeature',
    input: () => ({ feature: 'reminders' }),
  },
  'an erasure': {
    rest: () => ({ path: '', method: 'DELETE', headers: { ...WAIT, 'if-match': '*' } }),
    procedure: 'guilds.erase',
    input: () => ({}),
  },
};

describe('Prefer: wait answers when the change is live, with its latency:', () => {
  test.each(Object.entries(OPERATIONS))('%s over REST and over tRPC', async (_name, { rest, procedure, input }) => {
    const sends = [
      (at: number) => {
        const { path, ...sent } = rest(at);
        return send(`/guilds/${guild}${path}`, { headers: WAIT, ...sent });
      },
      (at: number) =>
        send(`/trpc/${procedure}`, { headers: { ...WAIT, 'if-match': '*' }, body: { guild, ...input(at) } }),
    ];
    for (const sendOver of sends) {
      await send(`/guilds/${guild}`, { method: 'DELETE', headers: { 'if-match': '*' } });
      const at = await arrivedChange();
      let isAnswered = false;
      const answer = sendOver(at).finally(() => {
        isAnswered = true;
      });
      await waitUntil(() => newestEvent() > at);
      expect(await arrivalOf()).toMatchObject({ state: 'pending' });
      expect(isAnswered).toBe(false);
      api().clock.now += 38;
      await bot.acknowledge();
      const { ok, headers } = await answer;
      expect([ok, headers.get('arrival'), headers.get('preference-applied')]).toEqual([
        true,
        'live; latency=38',
        'wait=10',
      ]);
    }
  });
});

test.each([
  ['the dry run of an undo', (at: number) => [`/history/${at}/undo?dry_run=true`, {}]],
  ['the dry run of an import', () => ['/import?dry_run=true', { body: document }]],
  ['a refused undo', (at: number) => [`/history/${at}/undo`, { headers: { ...WAIT, 'if-match': '"1"' } }]],
] as [string, (at: number) => [string, Sent]][])('%s waits for nothing', async (_name, request) => {
  const [path, sent] = request(await arrivedChange());
  const { headers } = await send(`/guilds/${guild}${path}`, { headers: WAIT, ...sent });
  expect([headers.get('arrival'), headers.get('preference-applied')]).toEqual([null, null]);
});

test('an undo that changes nothing has the arrival of the newest change', async () => {
  const at = await arrivedChange();
  await send(`/guilds/${guild}/history/${at}/undo`, {});
  await waitUntil(() => newestEvent() > at);
  await bot.acknowledge();
  const { headers } = await send(`/guilds/${guild}/history/${at}/undo`, { headers: WAIT });
  expect(headers.get('arrival')).toMatch(/^live/);
});
