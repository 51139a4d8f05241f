import { expect } from 'vitest';
import { decide, grantAsMember, open, responseOf } from '../testing/authorize-client.ts';
import { APPLICATION, MEMBER, OWNER, postForm, startPopulatedSim, test } from '../testing/populated-sim.ts';

const SILENT = { prompt: 'none' };

test('prompt=none skips the page for a user of this browser who has consented', async ({ discord }) => {
  const { cookie } = await grantAsMember(discord);
  const response = await open(discord, SILENT, { cookie });
  expect(response.status).toBe(302);
  expect(responseOf(response.headers.get('location'))).toStrictEqual({
    code: expect.any(String),
    state: expect.any(String),
    iss: discord.url,
  });
});

test('prompt=none skips the page for fewer scopes, and not for more', async ({ discord }) => {
  const { cookie } = await grantAsMember(discord);
  expect((await open(discord, { ...SILENT, scope: 'guilds' }, { cookie })).status).toBe(302);
  expect((await open(discord, { ...SILENT, scope: 'identify email' }, { cookie })).status).toBe(200);
});

test.each([
  ['another browser', {}],
  ['a cookie of another simulator', { cookie: 'discord-sim-person=1299999999999999999' }],
  ['a user who has not consented', { cookie: `discord-sim-person=${OWNER.id}` }],
])('prompt=none shows the page to %s', async (_name, headers) => {
  await using discord = await startPopulatedSim();
  await grantAsMember(discord);
  expect((await open(discord, SILENT, headers)).status).toBe(200);
});

test('prompt=none shows the page after a denial', async ({ discord }) => {
  const cookie = `discord-sim-person=${MEMBER.id}`;
  await decide(discord, {}, { authorize: false });
  expect((await open(discord, SILENT, { cookie })).status).toBe(200);
});

test('prompt=none shows the page again after a revocation, but not after that of a standalone token', async ({
  discord,
}) => {
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
