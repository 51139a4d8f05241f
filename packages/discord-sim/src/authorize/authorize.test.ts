import { PermissionFlagsBits, type RESTPostOAuth2AccessTokenResult } from 'discord-api-types/v10';
import { describe, expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import {
  APPLICATION,
  BOT_ID,
  GUILD,
  get,
  json,
  MEMBER,
  OTHER_APPLICATION,
  OWNER,
  outcome,
  postForm,
  REDIRECT_URI,
  startBotSim,
  test,
  testOf,
} from '../testing/test-sim.ts';

type Query = Readonly<Record<string, string | undefined>>;

const REQUEST = {
  response_type: 'code',
  client_id: APPLICATION.id,
  scope: 'identify guilds',
  redirect_uri: REDIRECT_URI,
  state: 'a state/with+signs',
};

function authorizeUrl({ authorizeUrl: url }: DiscordSim, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...REQUEST, ...query })) {
    if (value !== undefined) parameters.append(name, value);
  }
  return `${url}?${parameters}`;
}

function open(discord: DiscordSim, query: Query = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(authorizeUrl(discord, query), { redirect: 'manual', headers });
}

/** Decides like the script of the page: as the member, who grants, unless the body overrides it. */
function decide(discord: DiscordSim, query: Query = {}, body: object = {}): Promise<Response> {
  return fetch(authorizeUrl(discord, query), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: discord.url },
    body: JSON.stringify({ personId: MEMBER.id, authorize: true, ...body }),
  });
}

/** Returns the query parameters of a redirect's location at the registered URI. */
function responseOf(location: string | null): Record<string, string> {
  if (!location?.startsWith(`${REDIRECT_URI}?`)) throw new Error(`Expected the redirect URI, received ${location}`);
  return Object.fromEntries(new URL(location).searchParams);
}

async function grantAsMember(discord: DiscordSim, query: Query = {}) {
  const response = await decide(discord, query);
  const { location } = (await response.json()) as { location: string };
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { parameters: responseOf(location), cookie };
}

const STATE = 'a state/with+signs';
const INVALID = 'Invalid OAuth2 redirect_uri';
const CODE = expect.stringMatching(/^[A-Za-z0-9]{30}$/);

test('the page is HTML, and its script reads who can authorize what', async ({ discord }) => {
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

test('a user who grants is redirected with code, issuer and the given state', async ({ discord }) => {
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

test('a user who denies is redirected with access_denied', async ({ discord }) => {
  const { location } = await json<{ location: string }>(decide(discord, {}, { authorize: false }));
  expect(responseOf(location)).toStrictEqual({
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request',
    state: STATE,
    iss: discord.url,
  });
});

test('a query in the registered redirect URI is kept to the letter', async ({ discord }) => {
  const redirectUri = 'http://localhost:8080/back?from=Discord%20sim&x';
  const application = { id: '1100000000000000003', clientSecret: 'third', redirectUris: [redirectUri] };
  discord.world.addApplication(application);
  const query = { client_id: application.id, redirect_uri: redirectUri };
  const { location } = await json<{ location: string }>(decide(discord, query));
  expect(location).toMatch(/^http:\/\/localhost:8080\/back\?from=Discord%20sim&x&code=\w{30}&state=/);
});

test.for<string>(['/api/oauth2/authorize', '/api/v9/oauth2/authorize', '/api/v10/oauth2/authorize'])(
  '%s redirects to the page with the same query',
  async (path, { discord }) => {
    const page = authorizeUrl(discord);
    const response = await fetch(page.replace('/oauth2/authorize', path), { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(new URL(response.headers.get('location') ?? '', page).href).toBe(page);
  },
);

describe('errors that the user sees, without a redirect', () => {
  test.for<[string, Query, string]>([
    ['no application', { client_id: undefined }, 'client_id: expected'],
    ['an unknown application', { client_id: '1199999999999999999' }, 'client_id: expected'],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }, INVALID],
    ['a longer redirect URI', { redirect_uri: `${REDIRECT_URI}/` }, INVALID],
    ['a redirect URI with a query', { redirect_uri: `${REDIRECT_URI}?a=b` }, INVALID],
    ['a redirect URI in capitals', { redirect_uri: REDIRECT_URI.replace('https', 'HTTPS') }, INVALID],
    ['an empty redirect URI', { redirect_uri: '' }, INVALID],
    ['an application without redirect URIs', { client_id: OTHER_APPLICATION.id }, 'none'],
  ])('%s', async ([_name, query, message], { discord }) => {
    const page = await open(discord, query);
    expect(page.status).toBe(400);
    expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await page.text()).toContain(message);
    expect(await outcome(decide(discord, query))).toStrictEqual([400, { message: expect.stringContaining(message) }]);
  });

  test.for<string>(['client_id', 'redirect_uri'])('a repeated %s', async (name, { discord }) => {
    const url = new URL(authorizeUrl(discord));
    url.searchParams.append(name, url.searchParams.get(name) ?? '');
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
  });
});

describe('errors that the application receives', () => {
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };

  test.for<[string, Query, string]>([
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
  ])('%s', async ([_name, query, error], { discord }) => {
    const response = await open(discord, query);
    expect(response.status).toBe(302);
    const expected = { error, error_description: expect.any(String), state: STATE, iss: discord.url };
    expect(responseOf(response.headers.get('location'))).toStrictEqual(expected);
    const { location } = await json<{ location: string }>(decide(discord, query));
    expect(responseOf(location)).toStrictEqual(expected);
  });

  test('a repeated parameter', async ({ discord }) => {
    const response = await fetch(`${authorizeUrl(discord)}&scope=email`, { redirect: 'manual' });
    expect(responseOf(response.headers.get('location'))).toMatchObject({ error: 'invalid_request' });
  });
});

test.for<[string, string | undefined, Record<string, string>, number]>([
  ['without a redirect URI is exchanged without one', undefined, {}, 200],
  ['without a redirect URI is exchanged with the registered one', undefined, { redirect_uri: REDIRECT_URI }, 200],
  [
    'without a redirect URI is not exchanged with another one',
    undefined,
    { redirect_uri: 'https://evil.example' },
    400,
  ],
  ['with a redirect URI is not exchanged without one', REDIRECT_URI, {}, 400],
])('a code of a request %s', async ([_name, requested, redirect, status], { discord }) => {
  const { parameters } = await grantAsMember(discord, { redirect_uri: requested });
  const form = { grant_type: 'authorization_code', code: parameters.code ?? '', ...redirect };
  expect((await postForm(discord, '/oauth2/token', form, APPLICATION)).status).toBe(status);
});

test('a decision from another site is refused', async ({ discord }) => {
  const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };
  const body = JSON.stringify({ personId: MEMBER.id, authorize: true });
  expect((await fetch(authorizeUrl(discord), { method: 'POST', headers, body })).status).toBe(403);
});

test('a decision needs a user who is no bot, and a boolean', async ({ discord }) => {
  discord.world.addBot({ applicationId: APPLICATION.id, token: 'token-of-the-bot' });
  const users = [undefined, '1299999999999999999', APPLICATION.id].map((personId) => ({ personId }));
  for (const body of [...users, { authorize: undefined }, { authorize: 'yes' }]) {
    const refusal = { message: expect.stringContaining('expected') };
    expect([body, ...(await outcome(decide(discord, {}, body)))]).toStrictEqual([body, 400, refusal]);
  }
});

test('the page cannot be framed, and keeps its address to itself', async ({ discord }) => {
  for (const query of [{}, { client_id: undefined }]) {
    const { headers } = await open(discord, query);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test.for<string>(['relative/path', 'https://dashboard.example/#fragment', 'https://dashboard.example/日本', ''])(
  'the redirect URI %j cannot be registered',
  async (redirectUri, { discord }) => {
    const register = () => discord.world.addApplication({ ...OTHER_APPLICATION, redirectUris: [redirectUri] });
    expect(register).toThrow('Expected an absolute redirect URI');
  },
);

const SILENT = { prompt: 'none' };

test('prompt=none skips the page after consent, for fewer scopes too, and not for more', async ({ discord }) => {
  const { cookie } = await grantAsMember(discord);
  const response = await open(discord, SILENT, { cookie });
  const parameters = { code: expect.any(String), state: expect.any(String), iss: discord.url };
  expect([response.status, responseOf(response.headers.get('location'))]).toStrictEqual([302, parameters]);
  expect((await open(discord, { ...SILENT, scope: 'guilds' }, { cookie })).status).toBe(302);
  expect((await open(discord, { ...SILENT, scope: 'identify email' }, { cookie })).status).toBe(200);
});

test('prompt=none shows the page to other browsers, users without consent, and unknown ones', async ({ discord }) => {
  await grantAsMember(discord);
  const users = [OWNER.id, '1299999999999999999'].map((id) => ({ cookie: `discord-sim-person=${id}` }));
  for (const headers of [{}, ...users]) expect((await open(discord, SILENT, headers)).status).toBe(200);
});

test('prompt=none shows the page after a denial', async ({ discord }) => {
  const cookie = `discord-sim-person=${MEMBER.id}`;
  await decide(discord, {}, { authorize: false });
  expect((await open(discord, SILENT, { cookie })).status).toBe(200);
});

test('prompt=none shows the page after a revocation, but not of a standalone token', async ({ discord }) => {
  const { cookie } = await grantAsMember(discord);
  const issue = { userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] } as const;
  const standalone = discord.world.issueUserToken({ ...issue, isStandalone: true });
  await postForm(discord, '/oauth2/token/revoke', { token: standalone.accessToken }, APPLICATION);
  expect((await open(discord, SILENT, { cookie })).status).toBe(302);
  const consented = discord.world.issueUserToken(issue);
  await postForm(discord, '/oauth2/token/revoke', { token: consented.accessToken }, APPLICATION);
  expect((await open(discord, SILENT, { cookie })).status).toBe(200);
});

test('without prompt=none the page is shown to a user who has consented, too', async ({ discord }) => {
  const { cookie } = await grantAsMember(discord);
  expect((await open(discord, {}, { cookie })).status).toBe(200);
  expect((await open(discord, { prompt: 'consent' }, { cookie })).status).toBe(200);
});

test('the scopes for members of guilds and for permissions of commands can be requested', async ({ discord }) => {
  const scope = 'identify guilds.members.read applications.commands.permissions.update';
  expect((await open(discord, { scope })).status).toBe(200);
  const { location } = await json<{ location: string }>(decide(discord, { scope }));
  expect(responseOf(location)).toMatchObject({ code: expect.any(String) });
});

const OTHER = { id: '1234567890123456000', name: 'Without the bot', ownerId: OWNER.id };
const { ViewChannel, SendMessages } = PermissionFlagsBits;

const INVITATION: Query = {
  response_type: undefined,
  redirect_uri: undefined,
  state: undefined,
  scope: 'bot applications.commands',
  permissions: String(ViewChannel | SendMessages),
};

const invitationTest = testOf(async () => {
  const discord = await startBotSim();
  discord.world.addGuild(OTHER);
  discord.world.addMember(OTHER.id, MEMBER.id, { permissions: 0n });
  return discord;
});

function invitationUrl(discord: DiscordSim, query: Query): string {
  return authorizeUrl(discord, { ...INVITATION, ...query }).replace('/authorize?', '/authorize/invitation?');
}

function add(discord: DiscordSim, body: object, query: Query = {}): Promise<Response> {
  return fetch(invitationUrl(discord, query), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: discord.url },
    body: JSON.stringify({ personId: OWNER.id, guildId: OTHER.id, ...body }),
  });
}

function permissionsOfBot({ world }: DiscordSim): bigint | undefined {
  return world.guilds.findMember(OTHER.id, BOT_ID)?.permissions;
}

invitationTest('an invitation is a page, whose script reads who may add the bot where', async ({ discord }) => {
  const page = await open(discord, INVITATION);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('/chat/page/invite.js');
  expect((await fetch(`${discord.url}/chat/page/invite.js`)).status).toBe(200);
  expect(await (await fetch(invitationUrl(discord, {}))).json()).toMatchObject({
    permissions: ['ViewChannel', 'SendMessages'],
    guildId: null,
    isChoice: true,
    people: [
      { id: OWNER.id, guilds: [{ id: OTHER.id }, { id: GUILD.id }] },
      { id: MEMBER.id, guilds: [] },
    ],
  });
});

invitationTest('an invitation to one guild leaves no choice', async ({ discord }) => {
  const query = { guild_id: OTHER.id, disable_guild_select: 'true' };
  expect(await (await fetch(invitationUrl(discord, query))).json()).toMatchObject({
    isChoice: false,
    people: [{ guilds: [{ id: OTHER.id, name: OTHER.name }] }, { guilds: [] }],
  });
  expect((await add(discord, { guildId: GUILD.id }, query)).status).toBe(403);
});

invitationTest('who manages a guild adds the bot to it, with the requested permissions', async ({ discord }) => {
  expect(await outcome(add(discord, {}))).toEqual([200, { guild: { id: OTHER.id, name: OTHER.name } }]);
  expect(permissionsOfBot(discord)).toBe(ViewChannel | SendMessages);
});

invitationTest('only a person who manages the guild adds the bot', async ({ discord }) => {
  const refusals = [
    [{ personId: MEMBER.id }, 403],
    [{ personId: '1' }, 400],
    [{ personId: BOT_ID }, 400],
    [{ guildId: null }, 403],
  ] as const;
  for (const [body, status] of refusals) expect([body, (await add(discord, body)).status]).toEqual([body, status]);
  expect(permissionsOfBot(discord)).toBeUndefined();
});

invitationTest('an unknown application, one without a bot, and other permissions are refused', async ({ discord }) => {
  const applications = ['1100000000000000999', OTHER_APPLICATION.id].map((id) => ({ client_id: id }));
  for (const query of [...applications, { permissions: 'all' }]) {
    const page = await open(discord, { ...INVITATION, ...query });
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
  }
});
