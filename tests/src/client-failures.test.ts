import { createGuildSettingsClient, hasProblem, problemOf, withRequest } from '@guild-settings/client';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { rejectionOf, startTcpProxy } from '@guild-settings/testing';
import { expect } from 'vitest';
import { countingFetch } from './testing/client-calls.ts';
import { startTestSandbox, test } from './testing/test-sandbox.ts';

const guild = GUILDS[0].id;
const token = tokenOf('manager');

test('a read whose response is lost is sent again', async ({ sandbox }) => {
  await using proxy = await startTcpProxy(Number(new URL(sandbox.apiUrl).port));
  const client = createGuildSettingsClient({ url: proxy.url, token });
  proxy.loseResponses();
  expect(await client.guilds.get.query({ guild })).toMatchObject({ id: guild });
  expect(proxy.responses).toBe(2);
});

test('a change whose response is lost is not sent again: it has been made', async ({ sandbox }) => {
  await using proxy = await startTcpProxy(Number(new URL(sandbox.apiUrl).port));
  const { fetch, requests } = countingFetch();
  const client = createGuildSettingsClient({ url: proxy.url, token, fetch });
  proxy.loseResponses();
  const error = await rejectionOf(client.guilds.update.mutate({ guild, prefix: '?' }));
  expect(error).toMatchObject({ cause: { name: 'NetworkError', maybeSent: true } });
  expect(requests).toHaveLength(1);

  const etags: string[] = [];
  const onEtag = (etag: string) => etags.push(etag);
  expect(await client.guilds.get.query({ guild }, withRequest({ onEtag }))).toMatchObject({ prefix: '?' });
  expect(etags).toStrictEqual([expect.stringMatching(/^"1-/)]);
});

test.each(['read', 'change'] as const)(
  'a %s while Discord is down fails after so many tries, saying so',
  async (kind) => {
    await using sandbox = await startTestSandbox();
    sandbox.discord.faults.set({ kind: 'status', status: 500 });
    const { fetch, requests } = countingFetch();
    const client = createGuildSettingsClient({ url: sandbox.apiUrl, token, fetch, retries: 1 });
    const call =
      kind === 'read' ? client.guilds.get.query({ guild }) : client.guilds.update.mutate({ guild, prefix: '?' });
    const error = await rejectionOf(call);
    expect(hasProblem(error, 'discord-unavailable')).toBe(true);
    expect(problemOf(error)?.status).toBe(503);
    expect(requests).toHaveLength(2);
  },
);

test('a change goes through once Discord is back', async ({ sandbox }) => {
  sandbox.discord.faults.set({ kind: 'html' }, { times: 1 });
  const client = createGuildSettingsClient({ url: sandbox.apiUrl, token });
  expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toMatchObject({ prefix: '?' });
});

test('a caller over its limit receives how long to wait', async () => {
  await using sandbox = await startTestSandbox({ RATE_LIMIT_PER_MINUTE: '1' });
  const { fetch, requests } = countingFetch();
  const client = createGuildSettingsClient({ url: sandbox.apiUrl, token, fetch });
  await client.guilds.get.query({ guild });
  const error = await rejectionOf(client.guilds.update.mutate({ guild, prefix: '?' }));
  expect(hasProblem(error, 'rate-limited')).toBe(true);
  expect(problemOf(error)?.retryAfter).toBeGreaterThan(10);
  expect(requests).toHaveLength(2);
});
