import { expect, test } from 'vitest';
import { exemptCalls } from '../testing/openapi-check/checked-calls.ts';
import { APPLICATION, get, memberToken, postForm, startPopulatedSim } from '../testing/populated-sim.ts';

test.each(['/api', '/api/v9', '/api/v10'])('the API is served at %s', async (prefix) => {
  await using discord = await startPopulatedSim();
  const api = { ...discord, apiUrl: `${discord.url}${prefix}` };
  const token = memberToken(discord);
  expect((await get(api, '/users/@me/guilds?limit=1', token)).status).toBe(200);
  const form = { grant_type: 'client_credentials', scope: 'identify' };
  expect((await postForm(api, '/oauth2/token', form, APPLICATION)).status).toBe(200);
  expect((await postForm(api, '/oauth2/token/revoke', { token }, APPLICATION)).status).toBe(200);
  expect((await get(api, '/users/@me', token)).status).toBe(401);
  expect((await postForm(api, '/users/@me', {})).status).toBe(405);
});

test('faults, rate limits and the call log are the same for all versions', async () => {
  exemptCalls('The status of a fault is not described.');
  await using discord = await startPopulatedSim({ rateLimit: { limit: 2, windowMs: 60_000 } });
  const token = memberToken(discord);
  discord.faults.set({ kind: 'status', status: 503 }, { path: '/users/@me', times: 1 });
  const statuses = [];
  for (const prefix of ['/api', '/api/v9', '/api/v10']) {
    statuses.push((await get({ ...discord, apiUrl: `${discord.url}${prefix}` }, '/users/@me', token)).status);
  }
  expect(statuses).toStrictEqual([503, 200, 429]);
  expect(discord.calls.count({ path: '/users/@me' })).toBe(3);
});

test('a version that is not served is refused', async () => {
  await using discord = await startPopulatedSim();
  for (const path of ['/api/v5/users/@me', '/api/v11/users/@me', '/api/v100', '/api/v8']) {
    const response = await fetch(`${discord.url}${path}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({ message: 'Invalid API version', code: 50041 });
  }
});
