import { test as base } from 'vitest';
import { type DiscordSim, type DiscordSimOptions, startDiscordSim } from '../sim.ts';
import type { Scope } from '../world/tokens.ts';

export const APPLICATION = { id: '1100000000000000001', clientSecret: 's3cret:with:colons', name: 'Settings' };
export const OTHER_APPLICATION = { id: '1100000000000000002', clientSecret: 'another' };
export const OWNER = { id: '1200000000000000001', username: 'olga', globalName: 'Olga' };
export const MEMBER = { id: '1200000000000000002', username: 'mika' };
/** Beyond 2^53, where a double would round the last digits away. */
export const GUILD = { id: '1234567890123456789', name: 'Ünïcode', icon: 'a1b2c3', ownerId: OWNER.id };
export const REDIRECT_URI = 'https://dashboard.example/callback';

/** Starts a simulator with two applications, an owner and a member of one guild. */
export async function startPopulatedSim(options: DiscordSimOptions = {}): Promise<DiscordSim> {
  const discord = await startDiscordSim(options);
  const { world } = discord;
  world.addUser(OWNER);
  world.addUser(MEMBER);
  world.addApplication({ ...APPLICATION, ownerId: OWNER.id, redirectUris: [REDIRECT_URI] });
  world.addApplication(OTHER_APPLICATION);
  world.addGuild(GUILD);
  world.addMember(GUILD.id, MEMBER.id, { permissions: 0n });
  return discord;
}

/** Returns a `test` whose `discord` is a simulator of the test's own. */
export function testOf(start: () => Promise<DiscordSim>) {
  return base.extend<{ discord: DiscordSim }>({
    // biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern.
    discord: async ({}, use) => {
      await using discord = await start();
      await use(discord);
    },
  });
}

/** A test with a populated simulator. */
export const test = testOf(startPopulatedSim);

/** Issues a token of the member. */
export function memberToken({ world }: DiscordSim, scopes: readonly Scope[] = ['identify', 'guilds']): string {
  return world.issueUserToken({ userId: MEMBER.id, applicationId: APPLICATION.id, scopes }).accessToken;
}

/** Calls the API with a bearer token. */
export function get({ apiUrl }: DiscordSim, path: string, token?: string): Promise<Response> {
  return fetch(`${apiUrl}${path}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
}

/** Returns the JSON of a response, assumed to be of type `Body`. */
export async function json<Body>(response: Promise<Response>): Promise<Body> {
  return (await response).json() as Promise<Body>;
}

/** Posts a form, with HTTP Basic if `client` is given. */
export function postForm(
  { apiUrl }: DiscordSim,
  path: string,
  form: Readonly<Record<string, string>>,
  client?: { readonly id: string; readonly clientSecret: string },
): Promise<Response> {
  const basic = client && Buffer.from(`${client.id}:${client.clientSecret}`).toString('base64');
  return fetch(`${apiUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: basic === undefined ? {} : { authorization: `Basic ${basic}` },
  });
}
