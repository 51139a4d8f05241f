import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, fillWorld, GUILDS, tokenOf } from '@guild-settings/sandbox/world';

/** The access token of the application. */
export const TOKEN = tokenOf('application');

/** The ids of the guilds. */
export const [GUILD, OTHER_GUILD] = GUILDS.map(({ id }) => id) as [string, string];

/** Starts a simulated Discord with the users and guilds of the sandbox. */
export async function startDiscord(): Promise<DiscordSim> {
  const discord = await startDiscordSim();
  fillWorld(discord.world);
  return discord;
}

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
