import { problemIn, startApi } from '@guild-settings/testing/api';
import { afterAll, expect, test } from 'vitest';

const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'DELETE'];

test.each(['/guilds/', '/problems/', '/trpc/', '/trpc', '/guilds', '/problems', '/docs/', '/trpc/a/b'])(
  'an unlisted path is 404, whatever the method and with whichever credentials: %s',
  async (path) => {
    for (const method of METHODS) {
      for (const token of [undefined, api.tokens.manager]) {
        const answer = await api.send(path, { method, ...(token && { token }) });
        expect(answer.status, method).toBe(404);
        if (method !== 'HEAD') expect(await problemIn(answer)).toMatchObject({ type: '/problems/not-found' });
      }
    }
  },
);

test('a procedure that there is not is 404 by every method; with GET and POST in the form that tRPC clients read', async () => {
  for (const path of ['/trpc/nothing', '/trpc/guilds', '/trpc/guilds.get.more', '/trpc/constructor']) {
    for (const method of METHODS) {
      const answer = await api.send(path, { method });
      expect(answer.status, `${method} ${path}`).toBe(404);
      expect(answer.headers.has('allow')).toBe(false);
      if (method !== 'GET' && method !== 'POST') continue;
      expect(await answer.json()).toMatchObject({ error: { data: { problem: { type: '/problems/not-found' } } } });
    }
  }
});

test.each([
  ['GET', '/trpc/guilds.update', 'OPTIONS, POST'],
  ['POST', '/trpc/guilds.get', 'GET, HEAD, OPTIONS'],
  ['POST', '/trpc/guilds.watch', 'GET, HEAD, OPTIONS'],
])('%s %s is 405, and Allow names the methods of the procedure', async (method, path, allow) => {
  const answer = await api.send(path, { method, token: api.tokens.manager });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
});
