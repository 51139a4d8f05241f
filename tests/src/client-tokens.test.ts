import { clientCredentials, createGuildSettingsClient, isGuildSettingsError, TokenError } from '@guild-settings/client';
import { APPLICATION, GUILDS } from '@guild-settings/discord-sim/testing/world';
import { rejectionOf } from '@guild-settings/testing';
import { expect } from 'vitest';
import { type TestSandbox, test } from './testing/test-sandbox.ts';

const guild = GUILDS[0].id;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function applicationClient({ apiUrl, discord, clock }: TestSandbox, clientSecret: string = APPLICATION.clientSecret) {
  const tokens = clientCredentials({
    discordApiUrl: discord.apiUrl,
    applicationId: APPLICATION.id,
    clientSecret,
    clock: clock.now,
  });
  const client = createGuildSettingsClient({ url: apiUrl, token: tokens });
  return { tokens, client, grants: () => discord.calls.count({ path: '/oauth2/token' }) };
}

test('one token serves all calls while it is valid', async ({ sandbox }) => {
  const { client, grants } = applicationClient(sandbox);
  await Promise.all(GUILDS.map(({ id }) => client.guilds.get.query({ guild: id })));
  await client.guilds.update.mutate({ guild, prefix: '?' });
  expect(grants()).toBe(1);
});

test('a token is renewed before it expires', async ({ sandbox }) => {
  const { client, tokens, grants } = applicationClient(sandbox);
  await client.guilds.get.query({ guild });
  const first = await tokens.get();
  sandbox.clock.aheadMs = 6.5 * DAY;
  await client.guilds.get.query({ guild });
  await expect.poll(() => tokens.get()).not.toBe(first);
  sandbox.clock.aheadMs = 8 * DAY;
  expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toMatchObject({ prefix: '?' });
  expect(grants()).toBe(2);
});

test('a token that has expired meanwhile is replaced', async ({ sandbox }) => {
  const { client, grants } = applicationClient(sandbox);
  await client.guilds.get.query({ guild });
  sandbox.clock.aheadMs = 8 * DAY;
  expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toMatchObject({ prefix: '?' });
  expect(grants()).toBe(2);
});

test('a token that Discord has revoked is replaced, and a refused change is sent again', async ({ sandbox }) => {
  const { client, tokens, grants } = applicationClient(sandbox);
  await client.guilds.get.query({ guild });
  sandbox.discord.world.revokeToken(await tokens.get());
  sandbox.clock.aheadMs = 2 * MINUTE;
  expect(await client.guilds.update.mutate({ guild, prefix: '?' })).toMatchObject({ prefix: '?' });
  expect(grants()).toBe(2);
});

test('the old token is used while Discord cannot renew it', async ({ sandbox }) => {
  const { client, grants } = applicationClient(sandbox);
  await client.guilds.get.query({ guild });
  sandbox.clock.aheadMs = 6.5 * DAY;
  sandbox.discord.faults.set({ kind: 'status', status: 500 }, { path: '/oauth2/token' });
  for (let n = 0; n < 5; n += 1) expect(await client.guilds.get.query({ guild })).toMatchObject({ id: guild });
  await expect.poll(grants).toBe(2);
});

test('a wrong secret is a typed error that does not quote it', async ({ sandbox }) => {
  const { client, grants } = applicationClient(sandbox, 'a-wrong-secret');
  const error = await rejectionOf(client.guilds.get.query({ guild }));
  expect(isGuildSettingsError(error) && error.cause).toBeInstanceOf(TokenError);
  expect(String(error)).not.toContain('a-wrong-secret');
  expect(grants()).toBe(1);
});
