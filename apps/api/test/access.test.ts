import { expect, test } from 'vitest';
import { startApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';

const { guild } = IDS;
const PATH = `/guilds/${guild}/access`;

test('smoke', async () => {
  await using api = await startApi();
  const { tokens } = api;
  const empty = await api.send(PATH, { token: tokens.manager });
  expect([empty.status, empty.headers.get('etag'), await empty.json()]).toEqual([200, '"access-0"', { entries: [] }]);
  expect((await api.get(guild, { token: tokens.plain })).status).toBe(403);
  const entries = [{ subject: `user:${IDS.plain}`, level: 'viewer' }];
  const set = await api.send(PATH, { method: 'PUT', token: tokens.manager, body: { entries } });
  expect([set.status, set.headers.get('etag'), await set.json()]).toEqual([200, '"access-1"', { entries }]);
  const read = await api.get(guild, { token: tokens.plain });
  expect([read.status, read.headers.get('etag')]).toEqual([200, '"0"']);
  const write = await api.patch(guild, { beta: true }, { token: tokens.plain });
  expect([write.status, await write.json()]).toMatchObject([403, { type: '/problems/insufficient-access' }]);
  const again = [{ subject: `user:${IDS.plain}`, level: 'editor' }];
  expect((await api.send(PATH, { method: 'PUT', token: tokens.manager, body: { entries: again } })).status).toBe(200);
  expect((await api.patch(guild, { beta: true }, { token: tokens.plain })).status).toBe(200);
  const history = await api.send(`/guilds/${guild}/history`, { token: tokens.plain });
  expect(await history.json()).toEqual({});
});
