import { describe, expect } from 'vitest';
import type { DiscordSim } from '../../sim.ts';
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
const RANDOM = expect.stringMatching(/^[A-Za-z0-9]{30}$/);

/** Requests a token; returns the status, the body, and the id of the token's user. */
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

  test('takes the client from the form as well as from the header', async ({ discord }) => {
    const client = { client_id: APPLICATION.id, client_secret: APPLICATION.clientSecret };
    const form = { ...codeForm(discord.world.issueAuthorizationCode(consent)), ...client };
    expect((await postForm(discord, '/oauth2/token', form)).status).toBe(200);
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

test('responds with invalid_client to a wrong secret, an unknown application and no credentials', async ({
  discord,
}) => {
  const form = { grant_type: 'client_credentials', scope: 'identify' };
  for (const client of [{ ...APPLICATION, clientSecret: 'wrong' }, { ...APPLICATION, id: MEMBER.id }, undefined]) {
    const response = await postForm(discord, '/oauth2/token', form, client);
    expect([response.status, await response.json()]).toStrictEqual([401, { error: 'invalid_client' }]);
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
      const response = await fetch(`${discord.apiUrl}${path}`, { method: 'POST', ...init });
      expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    }
  },
);
