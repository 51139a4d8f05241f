import { expect } from 'vitest';
import { exemptCalls } from '../testing/openapi-check/checked-calls.ts';
import { get, test } from '../testing/populated-sim.ts';

test('answers preflights, which use up no fault', async ({ discord }) => {
  exemptCalls('The status of a fault is not described.');
  discord.faults.set({ kind: 'status', status: 500 }, { times: 1 });
  const response = await fetch(`${discord.apiUrl}/users/@me`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://dashboard.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toContain('GET');
  expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
  expect((await get(discord, '/users/@me')).status).toBe(500);
});

test('lets browsers read every answer and its rate limit', async ({ discord }) => {
  for (const path of ['/users/@me', '/nowhere']) {
    const { headers } = await get(discord, path);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('x-ratelimit-reset-after');
  }
});
