import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, fillWorld } from '@guild-settings/sandbox/world';
import { freePort } from '@guild-settings/testing';
import type { BenchContext } from '../context.ts';
import { startApi } from './api.ts';
import { startBot } from './bot.ts';
import { type Server, startServer } from './server.ts';

const MAIN = fileURLToPath(new URL('../../../dashboard/dist/main.js', import.meta.url));

/** Processes with the users and guilds of the sandbox. */
export interface DashboardWorld {
  readonly discord: DiscordSim;
  readonly api: Server;
  readonly dashboard: Server;
}

interface DashboardOptions {
  /** Arguments of Node for the dashboard. */
  readonly execArgv?: readonly string[];
  /** Whether the page of Discord is of another site for browsers, as the real one is. */
  readonly isOtherSite?: boolean;
}

/** Starts a simulated Discord, the api, the bot and the dashboard. None of them is pinned. */
export async function startDashboard(
  { resources, folder }: Pick<BenchContext, 'resources' | 'folder'>,
  { execArgv = [], isOtherSite = false }: DashboardOptions = {},
): Promise<DashboardWorld> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const discord = resources.use(await startDiscordSim());
  fillWorld(discord.world, { redirectUris: [`${url}/callback`] });
  const api = resources.use(
    await startApi({
      databaseUrl: `file:${join(folder, 'api.db')}`,
      place: 'anywhere',
      discordUrl: discord.apiUrl,
      env: { DISCORD_BOT_TOKEN: BOT.token },
    }),
  );
  const path = join(folder, 'bot.db');
  resources.use(await startBot({ path, discordUrl: discord.apiUrl, apiUrl: api.url, ...BOT_OF_SANDBOX }));
  const dashboard = await startServer({
    file: MAIN,
    place: 'anywhere',
    port,
    execArgv,
    env: {
      DASHBOARD_URL: url,
      API_URL: api.url,
      DATABASE_URL: `file:${join(folder, 'dashboard.db')}`,
      DISCORD_API_URL: isOtherSite ? discord.apiUrl.replace('127.0.0.1', 'localhost') : discord.apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      SESSION_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      // One person opens the page again and again.
      RATE_LIMIT_PER_MINUTE: '0',
    },
  });
  return { discord, api, dashboard: resources.use(dashboard) };
}

const BOT_OF_SANDBOX = { token: BOT.token, clientSecret: APPLICATION.clientSecret };
