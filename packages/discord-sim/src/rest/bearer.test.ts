import { expect } from 'vitest';
import { APPLICATION, get, json, MEMBER, memberToken, startPopulatedSim, test } from '../testing/populated-sim.ts';

test.each(['/users/@me', '/users/@me/guilds', '/oauth2/@me'])(
  '%s refuses no token, an unknown one, one from the moment it expires, and one that code has expired or revoked',
  async (path) => {
    let now = 1_700_000_000_000;
    await using discord = await startPopulatedSim({ clock: () => now });
    expect(await json(get(discord, path))).toStrictEqual({ message: '401: Unauthorized', code: 0 });
    const status = async (token?: string) => (await get(discord, path, token)).status;
    const [token, expired, revoked] = [memberToken(discord), memberToken(discord), memberToken(discord)];
    discord.world.expireToken(expired);
    discord.world.revokeToken(revoked);
    for (const bad of [undefined, 'A'.repeat(30), expired, revoked]) expect(await status(bad)).toBe(401);
    now += 604_800_000 - 1;
    expect(await status(token)).toBe(200);
    now += 1;
    expect(await status(token)).toBe(401);
  },
);

test.for([
  { path: '/users/@me', scope: 'guilds' },
  { path: '/users/@me/guilds', scope: 'identify' },
] as const)('$path refuses a token that only holds $scope', async ({ path, scope }, { discord }) => {
  const response = await get(discord, path, memberToken(discord, [scope]));
  expect([response.status, await response.json()]).toStrictEqual([403, { message: 'Missing Access', code: 50001 }]);
});

test('an explicit token is accepted as it is written, and the Bearer scheme alone carries it', async ({ discord }) => {
  const token = 'manager-token';
  discord.world.issueUserToken({ token, userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] });
  expect((await get(discord, '/users/@me', token)).status).toBe(200);
  const headers = { authorization: `Bot ${token}` };
  expect((await fetch(`${discord.apiUrl}/users/@me`, { headers })).status).toBe(401);
});
