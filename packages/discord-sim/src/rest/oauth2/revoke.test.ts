import type { RESTPostOAuth2AccessTokenResult } from 'discord-api-types/v10';
import { expect } from 'vitest';
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

test('revoking one token signs the user out of the application everywhere', async ({ discord }) => {
  const phone = discord.world.issueUserToken(issue);
  const desktop = discord.world.issueUserToken(issue);
  const revoked = await postForm(discord, '/oauth2/token/revoke', { token: phone.accessToken }, APPLICATION);
  expect(revoked.status).toBe(200);
  expect((await get(discord, '/users/@me', desktop.accessToken)).status).toBe(401);
  const refresh = { grant_type: 'refresh_token', refresh_token: desktop.refreshToken };
  expect((await postForm(discord, '/oauth2/token', refresh, APPLICATION)).status).toBe(400);
});

test('a refresh token can be revoked too', async ({ discord }) => {
  const { accessToken, refreshToken } = discord.world.issueUserToken(issue);
  await postForm(discord, '/oauth2/token/revoke', { token: refreshToken }, APPLICATION);
  expect((await get(discord, '/users/@me', accessToken)).status).toBe(401);
});

test('a code that was not exchanged yet ends with the tokens', async ({ discord }) => {
  const code = discord.world.issueAuthorizationCode({ ...issue, redirectUri: REDIRECT_URI });
  await postForm(discord, '/oauth2/token/revoke', { token: memberToken(discord) }, APPLICATION);
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  const refused = await postForm(discord, '/oauth2/token', form, APPLICATION);
  expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
});

test('other users and applications keep their tokens', async ({ discord }) => {
  const otherUser = discord.world.issueUserToken({ ...issue, userId: OWNER.id });
  const otherApplication = discord.world.issueUserToken({ ...issue, applicationId: OTHER_APPLICATION.id });
  await postForm(discord, '/oauth2/token/revoke', { token: memberToken(discord) }, APPLICATION);
  expect((await get(discord, '/users/@me', otherUser.accessToken)).status).toBe(200);
  expect((await get(discord, '/users/@me', otherApplication.accessToken)).status).toBe(200);
});

test("another application's token is left alone without saying so", async ({ discord }) => {
  const token = memberToken(discord);
  const response = await postForm(discord, '/oauth2/token/revoke', { token }, OTHER_APPLICATION);
  expect(response.status).toBe(200);
  expect((await get(discord, '/users/@me', token)).status).toBe(200);
});

test('revoking needs the client and the token', async ({ discord }) => {
  const anonymous = await postForm(discord, '/oauth2/token/revoke', { token: memberToken(discord) });
  expect(await anonymous.json()).toStrictEqual({ error: 'invalid_client' });
  const without = await postForm(discord, '/oauth2/token/revoke', {}, APPLICATION);
  expect(await without.json()).toMatchObject({ error: 'invalid_request' });
});

test('a standalone token outlives the revocation of other tokens of the user', async ({ discord }) => {
  const standalone = discord.world.issueUserToken({ ...issue, isStandalone: true });
  const revoked = memberToken(discord);
  await postForm(discord, '/oauth2/token/revoke', { token: revoked }, APPLICATION);
  expect((await get(discord, '/users/@me', revoked)).status).toBe(401);
  expect((await get(discord, '/users/@me', standalone.accessToken)).status).toBe(200);
});

test('a standalone token of the application outlives the revocation of its others', async ({ discord }) => {
  const credentials = { applicationId: APPLICATION.id, scopes: ['identify'] } as const;
  const standalone = discord.world.issueClientCredentialsToken({ ...credentials, isStandalone: true });
  const { accessToken } = discord.world.issueClientCredentialsToken(credentials);
  await postForm(discord, '/oauth2/token/revoke', { token: accessToken }, APPLICATION);
  expect((await get(discord, '/users/@me', accessToken)).status).toBe(401);
  expect((await get(discord, '/users/@me', standalone.accessToken)).status).toBe(200);
});

test('revoking a standalone token ends it, its renewals, and nothing else', async ({ discord }) => {
  const first = discord.world.issueUserToken({ ...issue, isStandalone: true });
  const second = discord.world.issueUserToken({ ...issue, isStandalone: true });
  const form = { grant_type: 'refresh_token', refresh_token: first.refreshToken };
  const renewal = await json<RESTPostOAuth2AccessTokenResult>(postForm(discord, '/oauth2/token', form, APPLICATION));
  const usual = memberToken(discord);
  await postForm(discord, '/oauth2/token/revoke', { token: first.accessToken }, APPLICATION);
  for (const ended of [first.accessToken, renewal.access_token]) {
    expect((await get(discord, '/users/@me', ended)).status).toBe(401);
  }
  for (const valid of [second.accessToken, usual]) expect((await get(discord, '/users/@me', valid)).status).toBe(200);
});
