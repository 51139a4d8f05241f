import type { DiscordSim } from '../sim.ts';
import { APPLICATION, MEMBER, REDIRECT_URI } from './populated-sim.ts';

export type Query = Readonly<Record<string, string | undefined>>;

const REQUEST = {
  response_type: 'code',
  client_id: APPLICATION.id,
  scope: 'identify guilds',
  redirect_uri: REDIRECT_URI,
  state: 'a state/with+signs',
};

/** Returns the URL of the authorization page for the member's application. */
export function authorizeUrl({ authorizeUrl: url }: DiscordSim, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...REQUEST, ...query })) {
    if (value !== undefined) parameters.append(name, value);
  }
  return `${url}?${parameters}`;
}

/** Opens the authorization page and follows no redirect. */
export function open(discord: DiscordSim, query: Query = {}, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(authorizeUrl(discord, query), { redirect: 'manual', headers });
}

/** Decides as the script of the page does: as the member, who grants, unless the body says otherwise. */
export function decide(discord: DiscordSim, query: Query = {}, body: object = {}): Promise<Response> {
  return fetch(authorizeUrl(discord, query), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: discord.url },
    body: JSON.stringify({ personId: MEMBER.id, authorize: true, ...body }),
  });
}

/** Returns the parameters in the query of the location of a redirect to the registered URI. */
export function responseOf(location: string | null): Record<string, string> {
  if (!location?.startsWith(`${REDIRECT_URI}?`)) throw new Error(`Expected the redirect URI, received ${location}`);
  return Object.fromEntries(new URL(location).searchParams);
}

/** Grants as the member; returns the parameters of the redirect, and the cookie of the browser. */
export async function grantAsMember(discord: DiscordSim, query: Query = {}) {
  const response = await decide(discord, query);
  const { location } = (await response.json()) as { location: string };
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { parameters: responseOf(location), cookie };
}
