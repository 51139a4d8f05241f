import { beforeAll, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const browser = new Browser();
beforeAll(async () => void (await here.dashboard.login(browser)));

const READ = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;

/** Returns the type of the problem in a response, as a document or in tRPC's envelope. */
async function typeOf(response: Response): Promise<string | undefined> {
  const body = (await response.json()) as { type?: string; error?: { data: { problem: { type: string } } } };
  return body.type ?? body.error?.data.problem.type;
}

test.each([
  'presence.report',
  'users.forget',
  'guilds.watch',
  'guilds.acknowledge',
  'guilds.importMany',
  'guilds.get,guilds.get',
  'guilds',
  'constructor',
  '__proto__',
  'guilds.get%00',
])('%s is not found', async (procedure) => {
  for (const method of ['GET', 'POST']) {
    const response = await here.dashboard.visit(browser, `/trpc/${procedure}`, {
      method,
      ...(method === 'POST' && { body: {} }),
    });
    expect([method, response.status]).toStrictEqual([method, 404]);
  }
});

test('a query is read, and a mutation is posted', async () => {
  const posted = await here.dashboard.visit(browser, '/trpc/guilds.get', {
    method: 'POST',
    body: { guild: IDS.guild },
  });
  const read = await here.dashboard.visit(browser, READ.replace('guilds.get', 'guilds.update'));
  expect([posted.status, read.status]).toStrictEqual([405, 405]);
});

test('headers that the service would trust are not passed on', async () => {
  const headers = { 'x-on-behalf-of': IDS.owner, authorization: 'Bearer nonsense' };
  const response = await here.dashboard.visit(browser, READ, { headers });
  expect(response.status).toBe(200);
});

/** Sends a text as the body of a mutation. */
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${here.dashboard.url}/trpc/guilds.update`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
    body,
  });

test('a body longer than the service accepts of a user is not read, with or without a session', async () => {
  const patch = (length: number) => JSON.stringify({ guild: IDS.guild, prefix: 'x'.repeat(length) });
  expect((await post(patch(17_000))).status).toBe(413);
  expect((await post(patch(15_000))).status).toBe(401);
});

test('an input that is nested too deeply to be passed on is refused', async () => {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const response = await post('['.repeat(8_000) + ']'.repeat(8_000), { cookie });
  expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-body']);
});

test('an input that is no JSON, and a body that is none, are refused', async () => {
  const query = await here.dashboard.visit(browser, '/trpc/guilds.get?input=%7B');
  const body = await fetch(`${here.dashboard.url}/trpc/guilds.update`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: '{',
  });
  for (const response of [query, body])
    expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-request']);
});
