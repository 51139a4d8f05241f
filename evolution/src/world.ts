import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { sentUntilAvailable } from '@guild-settings/testing';

/** The access token of the application. */
export const TOKEN = tokenOf('application');

/** The ids of the guilds. */
export const [GUILD, OTHER_GUILD] = GUILDS.map(({ id }) => id) as [string, string];

/** Returns the environment of a service. */
export function environmentOf(discord: DiscordSim, database: string): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: `file:${database}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
  };
}

/** Sends a request to a service, without a client of any version. Returns the response and its body. */
export async function request(url: string, method = 'GET', body?: object) {
  const response = await send(url, method, body);
  return { response, body: JSON.parse(await response.text()) as Readonly<Record<string, unknown>> };
}

/** Changes a guild. Returns the revision. */
export async function patch(url: string, guild: string, settings: object): Promise<number> {
  const response = await sentUntilAvailable(() => send(`${url}/guilds/${guild}`, 'PATCH', settings));
  await response.body?.cancel();
  const { status, headers } = response;
  if (status !== 200) throw new Error(`Expected status 200, received ${status}`);
  return revisionIn(headers.get('etag'));
}

/** Returns the revision in an entity tag of any version. */
export function revisionIn(etag: string | null | undefined): number {
  return Number.parseInt(etag?.slice(1) ?? '', 10);
}

function send(url: string, method: string, body: object | undefined): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

let guilds = 0;

/** Returns the id of a guild that has not been used. */
export function freshGuild(): string {
  guilds += 1;
  return String(300_000_000_000_000_000n + (BigInt(guilds) << 22n));
}
