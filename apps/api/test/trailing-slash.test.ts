import { type Sent, startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { afterAll, expect, test } from 'vitest';

const { guild } = IDS;

const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

/** Sends a request as the manager. */
const send = (path: string, sent: Sent = {}) => api.send(path, { token: api.tokens.manager, ...sent });

test.each([
  `/guilds/${guild}`,
  `/guilds/${guild}/history`,
  `/guilds/${guild}/export`,
  '/users/@me',
  '/users/@me/guilds',
  '/application',
  '/features',
])('%s is served with a slash at the end as without it, by the same methods', async (path) => {
  const [without, slashed] = await Promise.all([send(path), send(`${path}/`)]);
  expect(slashed.status).toBe(200);
  expect(Object.keys((await slashed.json()) as object)).toEqual(Object.keys((await without.json()) as object));
  expect((await send(`${path}/`, { method: 'HEAD' })).status).toBe(200);
  const refused = await send(`${path}/`, { method: 'PUT' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([
    405,
    (await send(path, { method: 'PUT' })).headers.get('allow'),
  ]);
});

test('a query is read behind a slash at the end', async () => {
  expect((await send(`/guilds/${guild}/history/?limit=x`)).status).toBe(400);
  expect((await send(`/guilds/${guild}/history/?limit=1`)).status).toBe(200);
});

test('a change at an address with a slash at the end is made', async () => {
  const changed = await send(`/guilds/${guild}/`, { method: 'PATCH', body: { prefix: '?' } });
  expect([changed.status, await changed.json()]).toEqual([200, expect.objectContaining({ prefix: '?' })]);
  expect(await (await send(`/guilds/${guild}`)).json()).toMatchObject({ prefix: '?' });
});

test('the stream of a guild has a slash at the end as well', async () => {
  const response = await send(`/guilds/${guild}/events/`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await response.body?.cancel();
});

test('an empty guild, two slashes, and what is not of REST have no slash at the end', async () => {
  const paths = ['/guilds/', '/guilds//', `/guilds/${guild}//`, '/metrics/', '/readyz/', '/healthz/', '/docs/'];
  for (const path of [...paths, '/openapi.json/', '/trpc/guilds.get/']) {
    expect((await send(path)).status, path).toBe(404);
  }
});

test('metrics have one route for both addresses', async () => {
  await send(`/guilds/${guild}/`);
  const metrics = await (await send('/metrics')).text();
  expect(metrics).toContain('route="/guilds/:guild"');
  expect(metrics).not.toMatch(/route="[^"]+\/"/);
});
