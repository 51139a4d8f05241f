import { createApp, readConfig } from '@guild-settings/api';
import { createGuildSettingsClient, type GuildSettingsClient } from '@guild-settings/client';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder } from '@guild-settings/testing';

const TOKEN = tokenOf('application');

/** A service, with a simulated Discord, and the environment with which programs call it. */
export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly discord: DiscordSim;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
  readonly client: GuildSettingsClient;
}

/** Starts a service on an empty file. No bot has reported its guilds, so there is none that it is not in. */
export async function startService(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const folder = temporaryFolder();
  const discord = await startWorld();
  const config = readConfig({
    DATABASE_URL: `file:${folder.file('api.db')}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const app = await createApp(config);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    discord,
    token: TOKEN,
    client: createGuildSettingsClient({ url, token: TOKEN }),
    env: {
      API_URL: url,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await discord.close();
      folder[Symbol.dispose]();
    },
  };
}
