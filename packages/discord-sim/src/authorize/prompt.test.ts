import { expect } from 'vitest';
import { decide, grantAsMember, open, responseOf } from '../testing/authorize-client.ts';
import { APPLICATION, json, MEMBER, OWNER, postForm, test } from '../testing/populated-sim.ts';

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

test('the scopes for members of guilds and for permissions of commands can be requested', async ({ discord }) => {
  const scope = 'identify guilds.members.read applications.commands.permissions.update';
  expect((await open(discord, { scope })).status).toBe(200);
  const { location } = await json<{ location: string }>(decide(discord, { scope }));
  expect(responseOf(location)).toMatchObject({ code: expect.any(String) });
});
