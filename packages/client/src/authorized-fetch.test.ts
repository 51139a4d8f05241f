import { rejectionOf } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { hasProblem } from './problem-of.ts';
import { startServer } from './testing/http-server.ts';
import { GUILD, sendGuild, sendProblem } from './testing/service.ts';
import type { TokenSource } from './token-source.ts';

const guild = GUILD.id;

/** Makes a source that returns `first`, and `second` after `first` was invalidated. */
function twoTokens(): TokenSource & { readonly refused: string[] } {
  const refused: string[] = [];
  return {
    refused,
    get: async () => (refused.includes('first') ? 'second' : 'first'),
    invalidate: (token) => refused.push(token),
  };
}

const onlySecond = () =>
  startServer((request, response) =>
    request.headers.authorization === 'Bearer second'
      ? sendGuild(request, response)
      : sendProblem(request, response, 'invalid-token'),
  );

test('sends a refused request once more with a fresh token, a change too', async () => {
  await using server = await onlySecond();
  const token = twoTokens();
  const client = createGuildSettingsClient({ url: server.url, token });
  expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toStrictEqual(GUILD);
  expect(token.refused).toStrictEqual(['first']);
  expect(server.requests.map(({ headers }) => headers.authorization)).toStrictEqual(['Bearer first', 'Bearer second']);
});

test('sends it twice at most', async () => {
  await using server = await startServer((request, response) => sendProblem(request, response, 'invalid-token'));
  const client = createGuildSettingsClient({ url: server.url, token: twoTokens() });
  expect(hasProblem(await rejectionOf(client.guilds.get.query({ guild })), 'invalid-token')).toBe(true);
  expect(server.requests).toHaveLength(2);
});

test('does not send it again with the same token', async () => {
  await using server = await onlySecond();
  const client = createGuildSettingsClient({ url: server.url, token: 'first' });
  expect(hasProblem(await rejectionOf(client.guilds.get.query({ guild })), 'invalid-token')).toBe(true);
  expect(server.requests).toHaveLength(1);
});

test('keeps the token when a proxy answers 401', async () => {
  await using server = await startServer((_request, response) => response.writeHead(401).end('{}'));
  const token = twoTokens();
  await rejectionOf(createGuildSettingsClient({ url: server.url, token }).guilds.get.query({ guild }));
  expect(token.refused).toStrictEqual([]);
});
