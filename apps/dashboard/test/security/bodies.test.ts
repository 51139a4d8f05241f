import { MAX_PATCH_BODY_BYTES } from '@guild-settings/contract';
import { beforeAll, expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { IDS } from '../../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const browser = new Browser();
beforeAll(async () => void (await here.dashboard.login(browser)));

/** Returns the type of the problem in a response, as a document or in tRPC's envelope. */
async function typeOf(response: Response): Promise<string | undefined> {
  const body = (await response.json()) as { type?: string; error?: { data: { problem: { type: string } } } };
  return body.type ?? body.error?.data.problem.type;
}

/** Sends a text as the body of a mutation. */
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${here.dashboard.url}/trpc/guilds.update`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
    body,
  });

test('a body longer than any service accepts of a user is not read, with or without a session', async () => {
  const patch = (length: number) => JSON.stringify({ guild: IDS.guild, prefix: 'x'.repeat(length) });
  expect((await post(patch(MAX_PATCH_BODY_BYTES + 1_000))).status).toBe(413);
  expect((await post(patch(MAX_PATCH_BODY_BYTES))).status).toBe(401);
});

test('an input that is nested too deeply to be passed on is refused', async () => {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const response = await post('['.repeat(8_000) + ']'.repeat(8_000), { cookie });
  expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-body']);
});

test('an input that is no JSON, and a body that is none, are refused by the service', async () => {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const query = await here.dashboard.visit(browser, '/trpc/guilds.get?input=%7B');
  for (const response of [query, await post('{', { cookie })])
    expect([response.status, await typeOf(response)]).toStrictEqual([400, '/problems/invalid-request']);
  expect((await post('{')).status).toBe(401);
});
