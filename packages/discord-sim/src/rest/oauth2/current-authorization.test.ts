import { expect } from 'vitest';
import {
  APPLICATION,
  get,
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
  const { accessToken } = discord.world.issueUserToken({
    userId: MEMBER.id,
    applicationId: APPLICATION.id,
    scopes: ['identify', 'guilds'],
    expiresInSeconds: 60,
  });
  expect(await (await get(discord, '/oauth2/@me', accessToken)).json()).toMatchObject({
    application: { id: APPLICATION.id, name: APPLICATION.name, icon: null, type: null, flags: 0, flags_new: '0' },
    scopes: ['identify', 'guilds'],
    expires: '2031-05-06T07:09:09.012000+00:00',
    user: { id: MEMBER.id, username: MEMBER.username, discriminator: '0', global_name: null, avatar: null },
  });
});

test('names no user without the scope identify', async ({ discord }) => {
  const body = await (await get(discord, '/oauth2/@me', memberToken(discord, ['guilds']))).json();
  expect(body).not.toHaveProperty('user');
});

test("shows the application's owner for client credentials", async ({ discord }) => {
  const { accessToken } = discord.world.issueClientCredentialsToken({
    applicationId: APPLICATION.id,
    scopes: ['applications.commands.update', 'identify'],
  });
  const body = await (await get(discord, '/oauth2/@me', accessToken)).json();
  expect(body).toMatchObject({ scopes: ['applications.commands.update', 'identify'], user: { id: OWNER.id } });
});

test('shows no user for client credentials of an application without an owner', async ({ discord }) => {
  const { accessToken } = discord.world.issueClientCredentialsToken({
    applicationId: OTHER_APPLICATION.id,
    scopes: ['identify'],
  });
  expect(await (await get(discord, '/oauth2/@me', accessToken)).json()).not.toHaveProperty('user');
  expect((await get(discord, '/users/@me', accessToken)).status).toBe(403);
});
