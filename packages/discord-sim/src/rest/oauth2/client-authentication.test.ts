import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DiscordSim, startDiscordSim } from '../../sim.ts';

const ID = '1100000000000000001';

let discord: DiscordSim;
beforeAll(async () => {
  discord = await startDiscordSim();
});
afterAll(() => discord.close());

test.each([
  ['letters and digits as they are', 'Abc-012_xyz', 'Abc-012_xyz', 200],
  ['percent-encoded characters', 'a:b+c%d&é', 'a%3Ab%2Bc%25d%26%C3%A9', 200],
  ['a plus sign for a space', 'two words', 'two+words', 200],
  ['colons that were not encoded', 's3cret:with:colons', 's3cret:with:colons', 200],
  ['a plus sign that was not encoded', 'a+b', 'a+b', 401],
  ['a percent sign without digits', '100%', '100%', 401],
  ['bytes that are no UTF-8', 'x', '%FF', 401],
])('the client secret in Basic is form-decoded: %s', async (_name, clientSecret, encoded, status) => {
  discord.world.addApplication({ id: ID, clientSecret });
  const response = await fetch(`${discord.apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${ID}:${encoded}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
  });
  expect(response.status).toBe(status);
});
