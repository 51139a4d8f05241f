import { afterEach, expect, test, vi } from 'vitest';
import { failureOf } from './failure.ts';
import { fetchJson, pageHeaders, pageParameters, queryAddress, requestFor } from './requests.ts';

const READ = '/trpc/guilds.get?input=%7B%22guild%22%3A%221%22%7D';
afterEach(() => void vi.unstubAllGlobals());

const PUBLIC = ['/trpc/settings.get', '/trpc/features.list', '/trpc/application.get'];

test('a query names the person of the page as its preload does, and one that needs no session does not', () => {
  expect([queryAddress(READ), pageHeaders(), pageParameters()]).toEqual([READ, { 'x-requested-by': 'dashboard' }, {}]);
  requestFor('80351110224678912');
  expect(queryAddress(READ)).toBe('/trpc/guilds.get?requested-for=80351110224678912&input=%7B%22guild%22%3A%221%22%7D');
  expect(queryAddress('/trpc/users.guilds')).toBe('/trpc/users.guilds?requested-for=80351110224678912');
  expect(PUBLIC.map(queryAddress)).toEqual(PUBLIC);
  expect(pageHeaders()).toEqual({ 'x-requested-by': 'dashboard', 'x-requested-for': '80351110224678912' });
  expect(pageParameters()).toEqual({ 'requested-for': '80351110224678912' });
});

test.each([
  ['a page of a proxy', 'unavailable', new Response('<h1>Welcome</h1>')],
  ['nothing', 'done', new Response(null, { status: 204 })],
  ['an empty text', 'done', new Response('')],
] as const)('a logout that is answered with %s is %s', async (_, outcome, response) => {
  vi.stubGlobal('fetch', async () => response);
  const loggedOut = fetchJson('/logout', { method: 'POST' });
  expect(
    await loggedOut.then(
      () => 'done',
      (error: unknown) => failureOf(error).kind,
    ),
  ).toBe(outcome);
});
