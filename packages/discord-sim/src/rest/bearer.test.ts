import { describe, expect } from 'vitest';
import { APPLICATION, get, MEMBER, memberToken, startPopulatedSim, test } from '../testing/populated-sim.ts';

describe.each(['/users/@me', '/users/@me/guilds', '/oauth2/@me'])('%s', (path) => {
  test('refuses a call without a token', async ({ discord }) => {
    const response = await get(discord, path);
    expect(response.status).toBe(401);
    expect(await response.json()).toStrictEqual({ message: '401: Unauthorized', code: 0 });
  });

  test('refuses an unknown token', async ({ discord }) => {
    expect((await get(discord, path, 'A'.repeat(30))).status).toBe(401);
  });

  test('refuses a token from the moment it expires', async () => {
    let now = 1_700_000_000_000;
    await using discord = await startPopulatedSim({ clock: () => now });
    const token = memberToken(discord);
    now += 604_800_000 - 1;
    expect((await get(discord, path, token)).status).toBe(200);
    now += 1;
    expect((await get(discord, path, token)).status).toBe(401);
  });

  test('refuses a token that code has expired or revoked', async ({ discord }) => {
    const [expired, revoked] = [memberToken(discord), memberToken(discord)];
    discord.world.expireToken(expired);
    discord.world.revokeToken(revoked);
    expect((await get(discord, path, expired)).status).toBe(401);
    expect((await get(discord, path, revoked)).status).toBe(401);
  });
});

test.each([
  ['/users/@me', 'guilds'],
  ['/users/@me/guilds', 'identify'],
] as const)('%s refuses a token that only holds %s', async (path, scope) => {
  await using discord = await startPopulatedSim();
  const response = await get(discord, path, memberToken(discord, [scope]));
  expect(response.status).toBe(403);
  expect(await response.json()).toStrictEqual({ message: 'Missing Access', code: 50001 });
});

test('an explicit token is accepted as it is written', async ({ discord }) => {
  const token = 'manager-token';
  discord.world.issueUserToken({ token, userId: MEMBER.id, applicationId: APPLICATION.id, scopes: ['identify'] });
  expect((await get(discord, '/users/@me', token)).status).toBe(200);
});

test('only the Bearer scheme carries a user token', async ({ discord }) => {
  const headers = { authorization: `Bot ${memberToken(discord)}` };
  expect((await fetch(`${discord.apiUrl}/users/@me`, { headers })).status).toBe(401);
});
