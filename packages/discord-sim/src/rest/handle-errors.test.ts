import { expect } from 'vitest';
import { startPopulatedSim, test } from '../testing/populated-sim.ts';

test.each(['/api/v10/nowhere', '/api/v10', '/api/v9/nowhere', '/api/nowhere', '/'])(
  'responds with 404 at %s',
  async (path) => {
    await using discord = await startPopulatedSim();
    const response = await fetch(`${discord.url}${path}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toStrictEqual({ message: '404: Not Found', code: 0 });
  },
);

test.each([
  ['POST', '/users/@me'],
  ['DELETE', '/users/@me/guilds?limit=1'],
  ['GET', '/oauth2/token'],
])('responds with 405 to %s %s', async (method, path) => {
  await using discord = await startPopulatedSim();
  const response = await fetch(`${discord.apiUrl}${path}`, { method });
  expect(response.status).toBe(405);
  expect(await response.json()).toStrictEqual({ message: '405: Method Not Allowed', code: 0 });
});

test('responds with 400 to a path that cannot be decoded', async ({ discord }) => {
  const response = await fetch(`${discord.apiUrl}/%zz`);
  expect(response.status).toBe(400);
  expect(await response.json()).toStrictEqual({ message: '400: Bad Request', code: 0 });
});

test('responds with 413 to a body beyond reason', async ({ discord }) => {
  const body = new URLSearchParams({ code: 'x'.repeat(2 ** 20) });
  const response = await fetch(`${discord.apiUrl}/oauth2/token`, { method: 'POST', body });
  expect(response.status).toBe(413);
});
