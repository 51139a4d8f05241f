import { expect } from 'vitest';
import { APPLICATION, get, OWNER, test } from '../../testing/populated-sim.ts';

test("shows the token's user", async ({ discord }) => {
  const { accessToken } = discord.world.issueUserToken({
    userId: OWNER.id,
    applicationId: APPLICATION.id,
    scopes: ['identify'],
  });
  const response = await get(discord, '/users/@me', accessToken);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toMatchObject({
    id: OWNER.id,
    username: OWNER.username,
    global_name: OWNER.globalName,
    discriminator: '0',
    locale: 'en-US',
  });
});
