import { expect } from 'vitest';
import { test } from '../testing/populated-sim.ts';

test('an unknown path is 404, an unknown method 405, and a path that cannot be decoded 400', async ({ discord }) => {
  const notFound = [404, { message: '404: Not Found', code: 0 }];
  const notAllowed = [405, { message: '405: Method Not Allowed', code: 0 }];
  for (const [method, path, refusal] of [
    ...['/api/v10/nowhere', '/api/v10', '/api/v9/nowhere', '/api/nowhere', '/'].map((path) => ['GET', path, notFound]),
    ['POST', '/api/v10/users/@me', notAllowed],
    ['DELETE', '/api/v10/users/@me/guilds?limit=1', notAllowed],
    ['GET', '/api/v10/oauth2/token', notAllowed],
    ['GET', '/api/v10/%zz', [400, { message: '400: Bad Request', code: 0 }]],
  ]) {
    const response = await fetch(`${discord.url}${path}`, { method: String(method) });
    expect([path, [response.status, await response.json()]]).toStrictEqual([path, refusal]);
  }
});

test('responds with 413 to a body beyond reason', async ({ discord }) => {
  const body = new URLSearchParams({ code: 'x'.repeat(2 ** 20) });
  expect((await fetch(`${discord.apiUrl}/oauth2/token`, { method: 'POST', body })).status).toBe(413);
});
