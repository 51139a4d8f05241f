import type { APIUser, RESTPostOAuth2AccessTokenResult } from 'discord-api-types/v10';
import { describe, expect } from 'vitest';
import {
  APPLICATION,
  get,
  json,
  MEMBER,
  OTHER_APPLICATION,
  OWNER,
  postForm,
  REDIRECT_URI,
  startPopulatedSim,
  test,
} from '../../testing/populated-sim.ts';

const consent = {
  userId: MEMBER.id,
  applicationId: APPLICATION.id,
  scopes: ['identify', 'guilds'],
  redirectUri: REDIRECT_URI,
} as const;

describe('client_credentials', () => {
  test('issues a bearer token without a refresh token', async ({ discord }) => {
    const form = { grant_type: 'client_credentials', scope: 'applications.commands.update identify' };
    const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toStrictEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      token_type: 'Bearer',
      expires_in: 604800,
      scope: 'applications.commands.update identify',
    });
  });

  test("issues a token in the name of the application's owner", async ({ discord }) => {
    const form = { grant_type: 'client_credentials', scope: 'identify' };
    const answer = postForm(discord, '/oauth2/token', form, APPLICATION);
    const { access_token } = await json<RESTPostOAuth2AccessTokenResult>(answer);
    const user = await json<APIUser>(get(discord, '/users/@me', access_token));
    expect(user.id).toBe(OWNER.id);
  });

  test.each([
    ['an unknown scope', { scope: 'identify everything' }],
    ['no scope', {}],
  ])('refuses %s', async (_, scope) => {
    await using discord = await startPopulatedSim();
    const form = { grant_type: 'client_credentials', ...scope };
    const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({
      error: 'invalid_scope',
      error_description: 'The requested scope is invalid, unknown, or malformed.',
    });
  });
});

describe('authorization_code', () => {
  test('exchanges a code for a token of the user', async ({ discord }) => {
    const code = discord.world.issueAuthorizationCode(consent);
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const answer = postForm(discord, '/oauth2/token', form, APPLICATION);
    const body = await json<RESTPostOAuth2AccessTokenResult>(answer);
    expect(body).toStrictEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      token_type: 'Bearer',
      expires_in: 604800,
      refresh_token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      scope: 'identify guilds',
    });
    const user = await json<APIUser>(get(discord, '/users/@me', body.access_token));
    expect(user.id).toBe(MEMBER.id);
  });

  test('takes the client from the form as well as from the header', async ({ discord }) => {
    const response = await postForm(discord, '/oauth2/token', {
      grant_type: 'authorization_code',
      code: discord.world.issueAuthorizationCode(consent),
      redirect_uri: REDIRECT_URI,
      client_id: APPLICATION.id,
      client_secret: APPLICATION.clientSecret,
    });
    expect(response.status).toBe(200);
  });

  test('accepts a code once', async ({ discord }) => {
    const code = discord.world.issueAuthorizationCode(consent);
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    await postForm(discord, '/oauth2/token', form, APPLICATION);
    const again = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(again.status).toBe(400);
    expect(await again.json()).toStrictEqual({
      error: 'invalid_grant',
      error_description: 'Invalid "code" in request.',
    });
  });

  test('refuses a code after 100 seconds', async () => {
    let now = 1_700_000_000_000;
    await using discord = await startPopulatedSim({ clock: () => now });
    const code = discord.world.issueAuthorizationCode(consent);
    now += 100_000;
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test("refuses another application's code and leaves it to its own", async ({ discord }) => {
    const code = discord.world.issueAuthorizationCode(consent);
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const foreign = await postForm(discord, '/oauth2/token', form, OTHER_APPLICATION);
    expect(await foreign.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await postForm(discord, '/oauth2/token', form, APPLICATION)).status).toBe(200);
  });

  test('refuses a code with another redirect address', async ({ discord }) => {
    const code = discord.world.issueAuthorizationCode(consent);
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://evil.example' };
    const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(await response.json()).toStrictEqual({
      error: 'invalid_grant',
      error_description: 'Invalid "redirect_uri" in request.',
    });
  });

  test('issues no code for a redirect address that is not registered', async ({ discord }) => {
    const issue = () => discord.world.issueAuthorizationCode({ ...consent, redirectUri: 'https://evil.example' });
    expect(issue).toThrow('not registered');
  });

  test('refuses the scope that client credentials alone may hold', async ({ discord }) => {
    const code = discord.world.issueAuthorizationCode({ ...consent, scopes: ['applications.commands.update'] });
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_scope' });
  });

  test('refuses a request without a code', async ({ discord }) => {
    const response = await postForm(discord, '/oauth2/token', { grant_type: 'authorization_code' }, APPLICATION);
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({
      error: 'invalid_request',
      error_description: 'Missing "code" in request.',
    });
  });
});

describe('refresh_token', () => {
  const issue = { userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] } as const;

  test('renews a token and rotates the refresh token', async ({ discord }) => {
    const { refreshToken } = discord.world.issueUserToken({ ...issue, expiresInSeconds: 0 });
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const answer = postForm(discord, '/oauth2/token', form, APPLICATION);
    const body = await json<RESTPostOAuth2AccessTokenResult>(answer);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 604800, scope: 'identify' });
    expect(body.refresh_token).not.toBe(refreshToken);
    expect((await get(discord, '/users/@me', body.access_token)).status).toBe(200);
  });

  test('accepts a refresh token once', async ({ discord }) => {
    const { refreshToken } = discord.world.issueUserToken(issue);
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    await postForm(discord, '/oauth2/token', form, APPLICATION);
    const again = await postForm(discord, '/oauth2/token', form, APPLICATION);
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test("refuses another application's refresh token", async ({ discord }) => {
    const { refreshToken } = discord.world.issueUserToken(issue);
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const response = await postForm(discord, '/oauth2/token', form, OTHER_APPLICATION);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });
});

test.each([
  ['a wrong secret', { id: APPLICATION.id, clientSecret: 'wrong' }],
  ['an unknown application', { id: '1199999999999999999', clientSecret: 'x' }],
  ['no credentials', undefined],
])('responds with invalid_client to %s', async (_, client) => {
  await using discord = await startPopulatedSim();
  const form = { grant_type: 'client_credentials', scope: 'identify' };
  const response = await postForm(discord, '/oauth2/token', form, client);
  expect(response.status).toBe(401);
  expect(await response.json()).toStrictEqual({ error: 'invalid_client' });
});

test.each([
  ['password', 'Grant type password is not supported'],
  [undefined, 'Grant type None is not supported'],
])('responds with unsupported_grant_type to grant %s', async (grant, description) => {
  await using discord = await startPopulatedSim();
  const response = await postForm(discord, '/oauth2/token', grant ? { grant_type: grant } : {}, APPLICATION);
  expect(response.status).toBe(400);
  expect(await response.json()).toStrictEqual({ error: 'unsupported_grant_type', error_description: description });
});

test.each(['/oauth2/token', '/oauth2/token/revoke'])('responds with invalid_request to JSON at %s', async (path) => {
  await using discord = await startPopulatedSim();
  const response = await fetch(`${discord.apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id: APPLICATION.id }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});

test('responds with invalid_request to an empty body', async ({ discord }) => {
  const response = await fetch(`${discord.apiUrl}/oauth2/token`, { method: 'POST' });
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});
