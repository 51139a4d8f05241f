import { expect, test } from 'vitest';
import { APPLICATION, PEOPLE, startWorld, tokenOf } from './world.ts';

test("the printed tokens outlive a logout, which revokes all tokens of the user's consent", async () => {
  await using discord = await startWorld();
  const login = { applicationId: APPLICATION.id, userId: PEOPLE.manager.id, scopes: ['identify', 'guilds'] } as const;
  const session = discord.world.issueUserToken(login).accessToken;
  const statusOf = async (token: string) => {
    return (await fetch(`${discord.apiUrl}/users/@me`, { headers: { authorization: `Bearer ${token}` } })).status;
  };
  expect(await statusOf(session)).toBe(200);
  const logout = await fetch(`${discord.apiUrl}/oauth2/token/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: APPLICATION.id, client_secret: APPLICATION.clientSecret, token: session }),
  });
  expect(logout.status).toBe(200);
  expect(await statusOf(session)).toBe(401);
  expect(await statusOf(tokenOf('manager'))).toBe(200);
});
