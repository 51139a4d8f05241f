import { Arrival } from '@guild-settings/contract';
import { waitUntil } from '@guild-settings/testing';
import { revisionIn, type Sent, sharedApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { openTestWatcher, type TestWatcher } from '@guild-settings/testing/streams';
import { afterAll, beforeAll, expect, test } from 'vitest';

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

/** Makes a change that the bot acknowledges. @returns its revision */
async function arrivedChange(): Promise<number> {
  const { headers } = await api().patch(guild, { prefix: `${newestEvent()}` });
  const revision = revisionIn({ headers });
  await waitUntil(() => newestEvent() === revision);
  await bot.acknowledge();
  return revision;
}

const document = { version: 1, guild, settings: { language: 'ja', beta: true } };

/** Requests for a change that restore something. */
const REQUESTS: Readonly<Record<string, (at: number) => { readonly path: string } & Sent>> = {
  'an undo': (at) => ({ path: `/history/${at}/undo` }),
  'a restore': (at) => ({ path: '/restore', body: { revision: at - 1 } }),
  'an import': () => ({ path: '/import', body: document }),
  'a switch of a feature': () => ({ path: '/features/reminders', method: 'PUT' }),
  'an erasure': () => ({ path: '', method: 'DELETE', headers: { ...WAIT, 'if-match': '*' } }),
};

test.each(Object.entries(REQUESTS))(
  'Prefer: wait answers when the change is live, with its latency: %s',
  async (_name, request) => {
    const at = await arrivedChange();
    const { path, ...sent } = request(at);
    let isAnswered = false;
    const answer = send(`/guilds/${guild}${path}`, { headers: WAIT, ...sent }).finally(() => {
      isAnswered = true;
    });
    await waitUntil(() => newestEvent() > at);
    expect(await arrivalOf()).toMatchObject({ state: 'pending' });
    expect(isAnswered).toBe(false);
    api().clock.now += 38;
    await bot.acknowledge();
    const { ok, headers } = await answer;
    const names = ['arrival', 'preference-applied'];
    expect([ok, ...names.map((name) => headers.get(name))]).toEqual([true, 'live; latency=38', 'wait=10']);
  },
);

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
