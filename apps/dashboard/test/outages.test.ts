import { startTcpProxy, waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { type DashboardWorld, IDS, startDashboardWorld, type TestDashboard } from '../src/testing/dashboard-world.ts';

let world: DashboardWorld;
let dashboard: TestDashboard;
const browser = new Browser();
beforeAll(async () => {
  world = await startDashboardWorld();
  dashboard = await world.start();
  await dashboard.login(browser);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const update = () => dashboard.call(browser, 'guilds.update', { guild: IDS.guild, prefix: '!' }, { method: 'POST' });

test('while the service is away, reads and changes are 503 in tRPC’s envelope, the session stays, and all is well afterwards', async () => {
  await world.stopApi();
  const answers = [await dashboard.call(browser, 'guilds.get', { guild: IDS.guild }), await update()];
  answers.push(await dashboard.call(browser, 'guilds.follow', { guild: IDS.guild }));
  for (const answer of answers) {
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { error: { data: { httpStatus: 503, problem: { type: '/problems/store-unavailable' } } } },
    ]);
  }
  expect((await dashboard.visit(browser, '/session')).status).toBe(200);
  await world.startApi();
  expect((await update()).status).toBe(200);
});

test('a stream ends when the service goes away, so that the page connects again', async () => {
  const response = await dashboard.call(browser, 'guilds.follow', { guild: IDS.guild });
  const text = response.text();
  await world.stopApi();
  expect(await text).toContain('event: connected');
  await world.startApi();
  const again = await dashboard.call(browser, 'guilds.follow', { guild: IDS.guild });
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

test('a stream whose connection to the service is reset ends, and the process does not', async () => {
  await using proxy = await startTcpProxy(Number(new URL(world.apiUrl).port));
  const behindProxy = await world.start({ API_URL: proxy.url });
  const person = new Browser();
  await behindProxy.login(person);
  const { status, body } = await behindProxy.call(person, 'guilds.follow', { guild: IDS.guild });
  const reader = body?.getReader();
  expect([status, (await reader?.read())?.done]).toEqual([200, false]);
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  process.prependOnceListener('uncaughtException', note);
  proxy.reset();
  while (!(await reader?.read())?.done);
  process.off('uncaughtException', note);
  expect(errors).toEqual([]);
  expect((await behindProxy.call(person, 'guilds.get', { guild: IDS.guild })).status).toBe(200);
});

test('a stream of the service is closed when its page is', async () => {
  const streams = await Promise.all(Array.from({ length: 5 }, openStream));
  expect(streams.map(({ begin }) => begin.includes('too-many-streams'))).not.toContain(true);
  // The service has five streams for a person.
  expect((await openStream()).begin).toContain('too-many-streams');
  for (const { close } of streams) await close();
  await waitUntil(
    async () => {
      const { begin, close } = await openStream();
      await close();
      return !begin.includes('too-many-streams');
    },
    { message: 'the end of the streams at the service' },
  );
});

/** Opens a stream, and reads it until its first event after `connected`. */
async function openStream(): Promise<{ readonly begin: string; close(): Promise<void> }> {
  const { body } = await dashboard.call(browser, 'guilds.follow', { guild: IDS.otherGuild });
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let begin = '';
  while (reader && begin.split('data:').length < 3) begin += decoder.decode((await reader.read()).value);
  return { begin, close: async () => void (await reader?.cancel()) };
}
