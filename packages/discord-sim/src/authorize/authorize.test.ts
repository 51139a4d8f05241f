import type { RESTPostOAuth2AccessTokenResult } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { authorizeUrl, decide, grantAsMember, open, responseOf } from '../testing/authorize-client.ts';
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
} from '../testing/populated-sim.ts';

const STATE = 'a state/with+signs';
const INVALID = 'Invalid OAuth2 redirect_uri';
const CODE = expect.stringMatching(/^[A-Za-z0-9]{30}$/);

let discord: DiscordSim;
beforeAll(async () => {
  discord = await startPopulatedSim();
});
afterAll(() => discord.close());

test('the page is HTML, and its script reads who can authorize what', async () => {
  const page = await open(discord);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const request = await fetch(authorizeUrl(discord).replace('/authorize?', '/authorize/request?'));
  expect(await request.json()).toStrictEqual({
    application: { id: APPLICATION.id, name: APPLICATION.name },
    scopes: ['identify', 'guilds'],
    redirectUri: REDIRECT_URI,
    people: [
      { id: OWNER.id, username: OWNER.username, name: OWNER.globalName },
      { id: MEMBER.id, username: MEMBER.username, name: MEMBER.username },
    ],
    personId: null,
  });
});

test('a user who grants is redirected with code, issuer and the given state', async () => {
  const { parameters } = await grantAsMember(discord);
  expect(parameters).toStrictEqual({ code: CODE, state: STATE, iss: discord.url });
  const form = { grant_type: 'authorization_code', code: parameters.code ?? '', redirect_uri: REDIRECT_URI };
  const answer = postForm(discord, '/oauth2/token', form, APPLICATION);
  const { access_token, scope } = await json<RESTPostOAuth2AccessTokenResult>(answer);
  expect(scope).toBe('identify guilds');
  expect(await json(get(discord, '/users/@me', access_token))).toMatchObject({ id: MEMBER.id });
  const stateless = await grantAsMember(discord, { state: undefined });
  expect(stateless.parameters).toStrictEqual({ code: CODE, iss: discord.url });
});

test('a user who denies is redirected with access_denied', async () => {
  const { location } = await json<{ location: string }>(decide(discord, {}, { authorize: false }));
  expect(responseOf(location)).toStrictEqual({
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request',
    state: STATE,
    iss: discord.url,
  });
});

test('a query in the registered redirect URI is kept to the letter', async () => {
  const redirectUri = 'http://localhost:8080/back?from=Discord%20sim&x';
  const application = { id: '1100000000000000003', clientSecret: 'third', redirectUris: [redirectUri] };
  discord.world.addApplication(application);
  const query = { client_id: application.id, redirect_uri: redirectUri };
  const { location } = await json<{ location: string }>(decide(discord, query));
  expect(location).toMatch(/^http:\/\/localhost:8080\/back\?from=Discord%20sim&x&code=\w{30}&state=/);
});

test.each(['/api/oauth2/authorize', '/api/v9/oauth2/authorize', '/api/v10/oauth2/authorize'])(
  '%s redirects to the page with the same query',
  async (path) => {
    const page = authorizeUrl(discord);
    const response = await fetch(page.replace('/oauth2/authorize', path), { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(new URL(response.headers.get('location') ?? '', page).href).toBe(page);
  },
);

describe('errors that the user sees, without a redirect', () => {
  test.each([
    ['no application', { client_id: undefined }, 'client_id: expected'],
    ['an unknown application', { client_id: '1199999999999999999' }, 'client_id: expected'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }, INVALID],
    ['a longer redirect URI', { redirect_uri: `${REDIRECT_URI}/` }, INVALID],
    ['a redirect URI with a query', { redirect_uri: `${REDIRECT_URI}?a=b` }, INVALID],
    ['a redirect URI in capitals', { redirect_uri: REDIRECT_URI.replace('https', 'HTTPS') }, INVALID],
    ['an empty redirect URI', { redirect_uri: '' }, INVALID],
    ['an application without redirect URIs', { client_id: OTHER_APPLICATION.id }, 'none'],
  ])('%s', async (_name, query, message) => {
    const page = await open(discord, query);
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await page.text()).toContain(message);
    const decision = await decide(discord, query);
    expect(decision.status).toBe(400);
    expect(await decision.json()).toStrictEqual({ message: expect.stringContaining(message) });
  });

  test.each(['client_id', 'redirect_uri'])('a repeated %s', async (name) => {
    const url = new URL(authorizeUrl(discord));
    url.searchParams.append(name, url.searchParams.get(name) ?? '');
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
  });
});

describe('errors that the application receives', () => {
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };

  test.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an unknown scope', { scope: 'identify everything' }, 'invalid_scope'],
    ['a scope of client credentials', { scope: 'applications.commands.update' }, 'invalid_scope'],
    ['a scope that is not simulated', { scope: 'identify bot' }, 'invalid_scope'],
    ['the challenge method plain', { ...challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['no challenge method, that is, plain', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['a challenge method without a challenge', { ...challenge, code_challenge: undefined }, 'invalid_request'],
    ['a challenge that is no hash', { ...challenge, code_challenge: 'x'.repeat(42) }, 'invalid_request'],
  ])('%s', async (_name, query, error) => {
    const response = await open(discord, query);
    expect(response.status).toBe(302);
    const expected = { error, error_description: expect.any(String), state: STATE, iss: discord.url };
    expect(responseOf(response.headers.get('location'))).toStrictEqual(expected);
    const { location } = await json<{ location: string }>(decide(discord, query));
    expect(responseOf(location)).toStrictEqual(expected);
  });

  test('a repeated parameter', async () => {
    const response = await fetch(`${authorizeUrl(discord)}&scope=email`, { redirect: 'manual' });
    expect(responseOf(response.headers.get('location'))).toMatchObject({ error: 'invalid_request' });
  });
});

test.each([
  ['without a redirect URI is exchanged without one', undefined, {}, 200],
  ['without a redirect URI is exchanged with the registered one', undefined, { redirect_uri: REDIRECT_URI }, 200],
  [
    'without a redirect URI is not exchanged with another one',
    undefined,
    { redirect_uri: 'https://evil.example' },
    400,
  ],
  ['with a redirect URI is not exchanged without one', REDIRECT_URI, {}, 400],
])('a code of a request %s', async (_name, requested, redirect, status) => {
  const { parameters } = await grantAsMember(discord, { redirect_uri: requested });
  const form = { grant_type: 'authorization_code', code: parameters.code ?? '', ...redirect };
  expect((await postForm(discord, '/oauth2/token', form, APPLICATION)).status).toBe(status);
});

test('a decision from another site is refused', async () => {
  const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };
  const body = JSON.stringify({ personId: MEMBER.id, authorize: true });
  expect((await fetch(authorizeUrl(discord), { method: 'POST', headers, body })).status).toBe(403);
});

test('a decision needs a user who is no bot, and a boolean', async () => {
  discord.world.addBot({ applicationId: APPLICATION.id, token: 'token-of-the-bot' });
  const users = [undefined, '1299999999999999999', APPLICATION.id].map((personId) => ({ personId }));
  for (const body of [...users, { authorize: undefined }, { authorize: 'yes' }]) {
    const response = await decide(discord, {}, body);
    const refusal = { message: expect.stringContaining('expected') };
    expect([body, response.status, await response.json()]).toStrictEqual([body, 400, refusal]);
  }
});

test('the page cannot be framed, and keeps its address to itself', async () => {
  for (const query of [{}, { client_id: undefined }]) {
    const { headers } = await open(discord, query);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test.each(['relative/path', 'https://dashboard.example/#fragment', 'https://dashboard.example/日本', ''])(
  'the redirect URI %j cannot be registered',
  async (redirectUri) => {
    const register = () => discord.world.addApplication({ ...OTHER_APPLICATION, redirectUris: [redirectUri] });
    expect(register).toThrow('Expected an absolute redirect URI');
  },
);
