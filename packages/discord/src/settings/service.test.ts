import { createGuildSettingsClient } from '@guild-settings/client';
import { serveHttp } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { callService } from './service.ts';

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
  // Of a newer service.
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
