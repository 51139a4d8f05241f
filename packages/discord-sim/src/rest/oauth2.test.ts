import { describe, expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import {
  APPLICATION,
  get,
  json,
  MEMBER,
  memberToken,
  OTHER_APPLICATION,
  OWNER,
  outcome,
  postForm,
  REDIRECT_URI,
  startPopulatedSim,
  test,
} from '../testing/test-sim.ts';
import { codeChallengeOf } from '../world/tokens.ts';

const consent = {
  userId: MEMBER.id,
  applicationId: APPLICATION.id,
  scopes: ['identify', 'guilds'],
  redirectUri: REDIRECT_URI,
} as const;
const RANDOM = expect.stringMatching(/^[A-Za-z0-9]{30}$/);

async function request(
  discord: DiscordSim,
  form: Readonly<Record<string, string>>,
  client: { readonly id: string; readonly clientSecret: string } | undefined = APPLICATION,
) {
  const response = await postForm(discord, '/oauth2/token', form, client);
  const body = (await response.json()) as { readonly access_token?: string; readonly refresh_token?: string };
  const user = body.access_token && (await json<{ id: string }>(get(discord, '/users/@me', body.access_token)));
  return { status: response.status, headers: response.headers, body, userId: user ? user.id : null };
}

function codeForm(code: string) {
  return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
}

function refreshForm(refreshToken: string) {
  return { grant_type: 'refresh_token', refresh_token: refreshToken };
}

describe('client_credentials', () => {
  test("issues a bearer token in the name of the application's owner, without a refresh token", async ({ discord }) => {
    const form = { grant_type: 'client_credentials', scope: 'applications.commands.update identify' };
    const { status, headers, body, userId } = await request(discord, form);
    expect([status, headers.get('cache-control'), userId]).toStrictEqual([200, 'no-store', OWNER.id]);
    const { scope } = form;
    expect(body).toStrictEqual({ access_token: RANDOM, token_type: 'Bearer', expires_in: 604800, scope });
  });

  test('refuses an unknown scope, and none', async ({ discord }) => {
    const error_description = 'The requested scope is invalid, unknown, or malformed.';
    const refusal = { status: 400, body: { error: 'invalid_scope', error_description } };
    for (const scope of [{ scope: 'identify everything' }, {}]) {
      const { status, body } = await request(discord, { grant_type: 'client_credentials', ...scope });
      expect({ status, body }).toStrictEqual(refusal);
    }
  });
});

describe('authorization_code', () => {
  test('exchanges a code for a token of the user, once', async ({ discord }) => {
    const form = codeForm(discord.world.issueAuthorizationCode(consent));
    const { body, userId } = await request(discord, form);
    expect(userId).toBe(MEMBER.id);
    expect(body).toStrictEqual({
      access_token: RANDOM,
      token_type: 'Bearer',
      expires_in: 604800,
      refresh_token: RANDOM,
      scope: 'identify guilds',
    });
    const refusal = { error: 'invalid_grant', error_description: 'Invalid "code" in request.' };
    const again = await request(discord, form);
    expect([again.status, again.body]).toStrictEqual([400, refusal]);
  });

  test('refuses a code after 100 seconds', async () => {
    let now = 1_700_000_000_000;
    await using discord = await startPopulatedSim({ clock: () => now });
    const code = discord.world.issueAuthorizationCode(consent);
    now += 100_000;
    expect(await request(discord, codeForm(code))).toMatchObject({ body: { error: 'invalid_grant' } });
  });

  test("refuses another application's code and leaves it to its own", async ({ discord }) => {
    const form = codeForm(discord.world.issueAuthorizationCode(consent));
    expect(await request(discord, form, OTHER_APPLICATION)).toMatchObject({ body: { error: 'invalid_grant' } });
    expect(await request(discord, form)).toMatchObject({ status: 200 });
  });

  test('refuses another redirect address than that of the code, which has to be registered', async ({ discord }) => {
    const redirectUri = 'https://evil.example';
    const form = { ...codeForm(discord.world.issueAuthorizationCode(consent)), redirect_uri: redirectUri };
    const refusal = { error: 'invalid_grant', error_description: 'Invalid "redirect_uri" in request.' };
    const { status, body } = await request(discord, form);
    expect([status, body]).toStrictEqual([400, refusal]);
    expect(() => discord.world.issueAuthorizationCode({ ...consent, redirectUri })).toThrow('not registered');
  });

  test('refuses no code, and the scope that client credentials alone may hold', async ({ discord }) => {
    const refusal = { error: 'invalid_request', error_description: 'Missing "code" in request.' };
    const { status, body } = await request(discord, { grant_type: 'authorization_code' });
    expect([status, body]).toStrictEqual([400, refusal]);
    const code = discord.world.issueAuthorizationCode({ ...consent, scopes: ['applications.commands.update'] });
    expect(await request(discord, codeForm(code))).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });
});

test('a refresh token of the application renews a token once, and is rotated', async ({ discord }) => {
  const issue = { userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] } as const;
  const { refreshToken } = discord.world.issueUserToken({ ...issue, expiresInSeconds: 0 });
  const refused = { status: 400, body: { error: 'invalid_grant' } };
  expect(await request(discord, refreshForm(refreshToken), OTHER_APPLICATION)).toMatchObject(refused);
  const { body, userId } = await request(discord, refreshForm(refreshToken));
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 604800, scope: 'identify' });
  expect(body.refresh_token).not.toBe(refreshToken);
  expect(userId).toBe(MEMBER.id);
  expect(await request(discord, refreshForm(refreshToken))).toMatchObject(refused);
});

test('a wrong secret, an unknown application and no credentials are invalid_client', async ({ discord }) => {
  const form = { grant_type: 'client_credentials', scope: 'identify' };
  for (const client of [{ ...APPLICATION, clientSecret: 'wrong' }, { ...APPLICATION, id: MEMBER.id }, undefined]) {
    expect(await outcome(postForm(discord, '/oauth2/token', form, client))).toStrictEqual([
      401,
      { error: 'invalid_client' },
    ]);
  }
});

test('responds with unsupported_grant_type to another grant, and to none', async ({ discord }) => {
  for (const [form, grant] of [[{ grant_type: 'password' }, 'password'] as const, [{}, 'None'] as const]) {
    const error_description = `Grant type ${grant} is not supported`;
    const body = { error: 'unsupported_grant_type', error_description };
    expect(await request(discord, form)).toMatchObject({ status: 400, body });
  }
});

test.for(['/oauth2/token', '/oauth2/token/revoke'])(
  'responds with invalid_request to JSON and to an empty body at %s',
  async (path, { discord }) => {
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id: APPLICATION.id });
    for (const init of [{ headers: { 'content-type': 'application/json' }, body }, {}]) {
      expect(await outcome(fetch(`${discord.apiUrl}${path}`, { method: 'POST', ...init }))).toMatchObject([
        400,
        { error: 'invalid_request' },
      ]);
    }
  },
);

const ID = '1100000000000000001';

test.for<[string, string, string, number]>([
  ['letters and digits as they are', 'Abc-012_xyz', 'Abc-012_xyz', 200],
  ['percent-encoded characters', 'a:b+c%d&é', 'a%3Ab%2Bc%25d%26%C3%A9', 200],
  ['a plus sign for a space', 'two words', 'two+words', 200],
  ['colons that were not encoded', 's3cret:with:colons', 's3cret:with:colons', 200],
  ['a plus sign that was not encoded', 'a+b', 'a+b', 401],
  ['a percent sign without digits', '100%', '100%', 401],
  ['bytes that are no UTF-8', 'x', '%FF', 401],
])('the client secret in Basic is form-decoded: %s', async ([_name, clientSecret, encoded, status], { discord }) => {
  discord.world.addApplication({ id: ID, clientSecret });
  const response = await fetch(`${discord.apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${ID}:${encoded}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
  });
  expect(response.status).toBe(status);
});

/** The example of https://www.rfc-editor.org/rfc/rfc7636#appendix-B */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Exchanges a code that was issued with a challenge; undefined: without one. */
async function exchange(
  discord: DiscordSim,
  codeChallenge: string | undefined,
  verifier: Readonly<Record<string, string>>,
) {
  const code = discord.world.issueAuthorizationCode({
    userId: MEMBER.id,
    applicationId: APPLICATION.id,
    scopes: ['identify'],
    redirectUri: REDIRECT_URI,
    ...(codeChallenge !== undefined && { codeChallenge }),
  });
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...verifier };
  const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
  return { status: response.status, body: await response.json() };
}

test('a code with a challenge is exchanged with its verifier of 43 to 128 characters', async ({ discord }) => {
  expect(await exchange(discord, CHALLENGE, { code_verifier: VERIFIER })).toMatchObject({ status: 200 });
  for (const verifier of ['-._~'.padEnd(43, 'aZ09'), '-._~'.padEnd(128, 'aZ09')]) {
    expect(await exchange(discord, codeChallengeOf(verifier), { code_verifier: verifier })).toMatchObject({
      status: 200,
    });
  }
});

test.for<[string, Readonly<Record<string, string>>, string, string]>([
  ['no verifier', {}, 'invalid_request', 'Missing "code_verifier"'],
  ['an empty verifier', { code_verifier: '' }, 'invalid_request', 'Missing "code_verifier"'],
  ['42 characters', { code_verifier: 'x'.repeat(42) }, 'invalid_request', 'Invalid "code_verifier"'],
  ['129 characters', { code_verifier: 'x'.repeat(129) }, 'invalid_request', 'Invalid "code_verifier"'],
  ['a reserved character', { code_verifier: `${VERIFIER}+` }, 'invalid_request', 'Invalid "code_verifier"'],
  ['another verifier', { code_verifier: `${VERIFIER}x` }, 'invalid_grant', 'Invalid "code_verifier" in request.'],
  ['the challenge itself', { code_verifier: CHALLENGE }, 'invalid_grant', 'Invalid "code_verifier" in request.'],
])('%s in place of the verifier is refused', async ([_name, form, error, description], { discord }) => {
  const refused = { status: 400, body: { error, error_description: description } };
  expect(await exchange(discord, CHALLENGE, form)).toStrictEqual(refused);
});

test('a verifier is refused for a code that was requested without a challenge', async ({ discord }) => {
  const refused = { status: 400, body: { error: 'invalid_grant' } };
  expect(await exchange(discord, undefined, { code_verifier: VERIFIER })).toMatchObject(refused);
});

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

test("another application's token is left alone silently; client and token are needed", async ({ discord }) => {
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

test('tells application, scopes, expiry and user of a token', async () => {
  const now = Date.parse('2031-05-06T07:08:09.012Z');
  await using discord = await startPopulatedSim({ clock: () => now });
  const scopes = ['identify', 'guilds'] as const;
  const issue = { userId: MEMBER.id, applicationId: APPLICATION.id, scopes, expiresInSeconds: 60 };
  const { accessToken } = discord.world.issueUserToken(issue);
  expect(await json(get(discord, '/oauth2/@me', accessToken))).toMatchObject({
    application: { id: APPLICATION.id, name: APPLICATION.name, icon: null, type: null, flags: 0, flags_new: '0' },
    scopes,
    expires: '2031-05-06T07:09:09.012000+00:00',
    user: { id: MEMBER.id, username: MEMBER.username, discriminator: '0', global_name: null, avatar: null },
  });
});

test('names no user without the scope identify', async ({ discord }) => {
  expect(await json(get(discord, '/oauth2/@me', memberToken(discord, ['guilds'])))).not.toHaveProperty('user');
});

test("shows the application's owner, if it has one, for client credentials", async ({ discord }) => {
  const scopes = ['applications.commands.update', 'identify'] as const;
  const owned = discord.world.issueClientCredentialsToken({ applicationId: APPLICATION.id, scopes });
  const ownerless = discord.world.issueClientCredentialsToken({ applicationId: OTHER_APPLICATION.id, scopes });
  expect(await json(get(discord, '/oauth2/@me', owned.accessToken))).toMatchObject({ scopes, user: { id: OWNER.id } });
  expect(await json(get(discord, '/oauth2/@me', ownerless.accessToken))).not.toHaveProperty('user');
  expect((await get(discord, '/users/@me', ownerless.accessToken)).status).toBe(403);
});
