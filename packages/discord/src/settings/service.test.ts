import type { ServerResponse } from 'node:http';
import { createGuildSettingsClient } from '@guild-settings/client';
import { serveHttp } from '@guild-settings/testing';
import { expect, test, vi } from 'vitest';
import { accessReader, callService, type PermittedUser, settingsWriter } from './service.ts';

const GUILD = '197038439483310086';

async function outcomeOf(slug: string, status: number): Promise<string> {
  const text = { title: 't', detail: 'd', message: 'd', code: 'SERVICE_UNAVAILABLE', instance: '/trpc' };
  await using server = await serveHttp((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ type: `/problems/${slug}`, status, ...text }));
  });
  const client = createGuildSettingsClient({ url: server.url, token: 'token-of-the-test', retries: 0 });
  const { kind } = await callService(() => client.guilds.update.mutate({ guild: GUILD, prefix: '?' }));
  return kind;
}

test.each([
  ['discord-unavailable', 503, 'unreachable'],
  ['store-unavailable', 503, 'unreachable'],
  ['rate-limited', 429, 'unreachable'],
  ['write-unconfirmed', 503, 'unconfirmed'],
  ['internal', 500, 'unconfirmed'],
  ['change-log-full', 429, 'refused'],
  // From a newer service.
  ['commit-delayed', 503, 'unconfirmed'],
  ['legal-hold', 451, 'refused'],
])('a change with the problem %s (%i) is %s', async (slug, status, kind) => {
  expect(await outcomeOf(slug, status)).toBe(kind);
});

test('a change behind a redirect was not made', async () => {
  await using proxy = await serveHttp((_request, response) => response.writeHead(308, { location: '/there' }).end());
  const client = createGuildSettingsClient({ url: proxy.url, token: 'token-of-the-test' });
  const { kind } = await callService(() => client.guilds.update.mutate({ guild: GUILD, prefix: '?' }));
  expect(kind).toBe('unreachable');
});

/** A client of another copy of the package, as in each tarball. */
async function otherCopy(options: Parameters<typeof createGuildSettingsClient>[0]) {
  vi.resetModules();
  const other = await import('@guild-settings/client');
  expect(other.createGuildSettingsClient).not.toBe(createGuildSettingsClient);
  return other.createGuildSettingsClient(options);
}

function sendRecord(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', etag: '"7"' });
  response.end(JSON.stringify({ result: { data: { id: GUILD, prefix: '!' } } }));
}

const USER = { guildId: GUILD, userId: '53908099506183681' } as PermittedUser;

test('a client of another copy of the package names the user of each call, and its errors are recognised', async () => {
  const users: unknown[] = [];
  await using server = await serveHttp((request, response) => {
    users.push(request.headers['x-on-behalf-of']);
    if (users.length > 1) response.writeHead(308, { location: '/there' }).end();
    else sendRecord(response);
  });
  const client = await otherCopy({ url: server.url, token: 'token-of-the-test', retries: 0 });
  const changed = await settingsWriter(client).change(USER, () => ({ prefix: '?' }));
  expect(changed).toEqual({ kind: 'unreachable' });
  expect(await accessReader(client)(USER)).toEqual({ kind: 'unreachable' });
  expect(users).toEqual([USER.userId, USER.userId, USER.userId]);
});

test('nothing is changed with a client of a version that ignores the user of a call', async () => {
  let requests = 0;
  await using server = await serveHttp((_request, response) => {
    requests += 1;
    sendRecord(response);
  });
  const client = createGuildSettingsClient({ url: server.url, token: 'token-of-the-test', retries: 0 });
  const { get, ...guilds } = client.guilds;
  const old = { ...client, guilds: { ...guilds, get: { query: (input: { guild: string }) => get.query(input) } } };
  await expect(settingsWriter(old).change(USER, () => ({ prefix: '?' }))).rejects.toThrow('of the same version');
  expect(requests).toBe(1);
});
