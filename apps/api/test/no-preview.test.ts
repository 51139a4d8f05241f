import { expect } from 'vitest';
import { problemIn } from '../src/testing/api-resource.ts';
import { test } from '../src/testing/api-test.ts';
import { IDS } from '../src/testing/people.ts';
import { revisionTagIn } from '../src/testing/revision-in.ts';

const { guild } = IDS;

test('a preview of a change that has none is refused, and the change is not made', async ({ api }) => {
  const { manager: token, owner } = api.tokens;
  expect((await api.patch(guild, { prefix: '?', enabledFeatures: ['one'] })).status).toBe(200);
  const path = `/guilds/${guild}`;
  for (const [where, sent] of [
    [path, { method: 'PATCH', token, body: { prefix: '!' } }],
    [path, { method: 'DELETE', token: owner, headers: { 'if-match': '*' } }],
    [`${path}/features/two`, { method: 'PUT', token }],
    [`${path}/features/one`, { method: 'DELETE', token }],
  ] as const) {
    for (const value of ['true', '1', 'false', '']) {
      const response = await api.send(`${where}?dry_run=${value}`, sent);
      expect([where, response.status]).toEqual([where, 400]);
      const { detail } = await problemIn(response);
      expect(detail).toBe('Expected no dry_run: there is no preview of this change. Nothing was changed.');
    }
  }
  const after = await api.get(guild);
  expect([revisionTagIn(after), await after.json()]).toMatchObject(['"1"', { prefix: '?' }]);
  // Other unknown parameters are ignored, such as that of a client that avoids caches.
  expect((await api.send(`${path}?_=1`, { token })).status).toBe(200);
  expect((await api.send(`${path}?_=1`, { method: 'PATCH', token, body: { prefix: '!' } })).status).toBe(200);
});
