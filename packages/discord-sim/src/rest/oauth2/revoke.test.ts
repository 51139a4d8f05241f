import { expect } from 'vitest';
import type { DiscordSim } from '../../sim.ts';
import {
  APPLICATION,
  get,
  json,
  MEMBER,
  memberToken,
  OTHER_APPLICATION,
  OWNER,
  postForm,
  REDIRECT_URI,
  test,
} from '../../testing/populated-sim.ts';

const issue = { userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] } as const;

function revoke(discord: DiscordSim, token: string, client = APPLICATION): Promise<Response> {
  return postForm(discord, '/oauth2/token/revoke', { token }, client);
}

async function statusOf(discord: DiscordSim, token: string): Promise<number> {
  return (await get(discord, '/users/@me', token)).status;
}

test.for(['accessToken', 'refreshToken'] as const)(
  'revoking one token signs the user out of the application everywhere: %s',
  async (kind, { discord }) => {
    const phone = discord.world.issueUserToken(issue);
    const desktop = discord.world.issueUserToken(issue);
    expect((await revoke(discord, phone[kind])).status).toBe(200);
    expect(await statusOf(discord, desktop.accessToken)).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: desktop.refreshToken };
    expect((await postForm(discord, '/oauth2/token', refresh, APPLICATION)).status).toBe(400);
  },
);

test('a code that was not exchanged yet ends with the tokens', async ({ discord }) => {
  const code = discord.world.issueAuthorizationCode({ ...issue, redirectUri: REDIRECT_URI });
  await revoke(discord, memberToken(discord));
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  const refused = postForm(discord, '/oauth2/token', form, APPLICATION);
  expect(await json(refused)).toMatchObject({ error: 'invalid_grant' });
});

test('other users and applications keep their tokens', async ({ discord }) => {
  const otherUser = discord.world.issueUserToken({ ...issue, userId: OWNER.id });
  const otherApplication = discord.world.issueUserToken({ ...issue, applicationId: OTHER_APPLICATION.id });
  await revoke(discord, memberToken(discord));
  for (const { accessToken } of [otherUser, otherApplication]) expect(await statusOf(discord, accessToken)).toBe(200);
});

test("another application's token is left alone without saying so; client and token are needed", async ({
  discord,
}) => {
  const token = memberToken(discord);
  expect((await revoke(discord, token, { ...OTHER_APPLICATION, name: '' })).status).toBe(200);
  const anonymous = postForm(discord, '/oauth2/token/revoke', { token });
  expect(await json(anonymous)).toStrictEqual({ error: 'invalid_client' });
  const without = postForm(discord, '/oauth2/token/revoke', {}, APPLICATION);
  expect(await json(without)).toMatchObject({ error: 'invalid_request' });
  expect(await statusOf(discord, token)).toBe(200);
});

test('standalone tokens of a user and of the application outlive the revocation of others', async ({ discord }) => {
  const { world } = discord;
  const credentials = { applicationId: APPLICATION.id, scopes: ['identify'] } as const;
  const standalone = [
    world.issueUserToken({ ...issue, isStandalone: true }),
    world.issueClientCredentialsToken({ ...credentials, isStandalone: true }),
  ];
  for (const { accessToken } of [world.issueUserToken(issue), world.issueClientCredentialsToken(credentials)]) {
    await revoke(discord, accessToken);
    expect(await statusOf(discord, accessToken)).toBe(401);
  }
  for (const { accessToken } of standalone) expect(await statusOf(discord, accessToken)).toBe(200);
});

test('revoking a standalone token ends it, its renewals, and nothing else', async ({ discord }) => {
  const first = discord.world.issueUserToken({ ...issue, isStandalone: true });
  const second = discord.world.issueUserToken({ ...issue, isStandalone: true });
  const form = { grant_type: 'refresh_token', refresh_token: first.refreshToken };
  const renewal = await json<{ access_token: string }>(postForm(discord, '/oauth2/token', form, APPLICATION));
  const usual = memberToken(discord);
  await revoke(discord, first.accessToken);
  for (const ended of [first.accessToken, renewal.access_token]) expect(await statusOf(discord, ended)).toBe(401);
  for (const valid of [second.accessToken, usual]) expect(await statusOf(discord, valid)).toBe(200);
});
