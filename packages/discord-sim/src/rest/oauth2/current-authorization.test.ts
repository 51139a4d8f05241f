import { expect } from 'vitest';
import {
  APPLICATION,
  get,
  json,
  MEMBER,
  memberToken,
  OTHER_APPLICATION,
  OWNER,
  startPopulatedSim,
  test,
} from '../../testing/populated-sim.ts';

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
