import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DiscordSim, startDiscordSim } from '../../sim.ts';

const ID = '1100000000000000001';

let discord: DiscordSim;
beforeAll(async () => {
  discord = await startDiscordSim();
});
afterAll(() => discord.close());

/** Requests a token with a text inside of Basic; returns the status. */
async function statusOf(clientSecret: string, basic: string): Promise<number> {
  discord.world.addApplication({ id: ID, clientSecret });
  const { status } = await fetch(`${discord.apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
  });
  return status;
}

test.each([
  ['letters and digits as they are', 'Abc-012_xyz', 'Abc-012_xyz'],
  ['percent-encoded characters', 'a:b+c%d&é', 'a%3Ab%2Bc%25d%26%C3%A9'],
  ['a plus sign for a space', 'two words', 'two+words'],
  ['colons that were not encoded', 's3cret:with:colons', 's3cret:with:colons'],
])('the client secret in Basic is form-decoded: %s', async (_name, secret, encoded) => {
  expect(await statusOf(secret, `${ID}:${encoded}`)).toBe(200);
});

test.each([
  ['a plus sign that was not encoded', 'a+b', 'a+b'],
  ['a percent sign without digits', '100%', '100%'],
  ['bytes that are no UTF-8', 'x', '%FF'],
])('a client secret in Basic is wrong with %s', async (_name, secret, encoded) => {
  expect(await statusOf(secret, `${ID}:${encoded}`)).toBe(401);
});
