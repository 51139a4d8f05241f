import { problemIn, revisionTagIn, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { expect } from 'vitest';

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
