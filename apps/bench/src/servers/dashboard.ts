import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { freePort } from '@guild-settings/testing';
import type { BenchContext } from '../context.ts';
import { startApi } from './api.ts';
import { type Server, startServer } from './server.ts';

export interface DashboardWorld {
  readonly api: Server;
  readonly dashboard: Server;
}

/** Starts a simulated Discord, the api, the bot and the dashboard. None of them is pinned. */
export async function startDashboard({ resources, folder }: BenchContext): Promise<DashboardWorld> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const discord = resources.use(await startWorld({ redirectUris: [`${url}/callback`] }));
  const place = 'anywhere';
  const api = resources.use(
    await startApi({
      databaseUrl: `file:${join(folder, 'api.db')}`,
      discordUrl: discord.apiUrl,
      place,
      env: { DISCORD_BOT_TOKEN: BOT.token },
    }),
  );
  const shared = {
    API_URL: api.url,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    LOG_LEVEL: 'error',
  };
  const bot = await startServer({
    file: mainOf('bot'),
    place,
    portVariable: 'HEALTH_PORT',
    env: {
      ...shared,
      DATABASE_URL: `file:${join(folder, 'bot.db')}`,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_BOT_TOKEN: BOT.token,
    },
  });
  resources.use(bot);
  const dashboard = await startServer({
    file: mainOf('dashboard'),
    place,
    port,
    env: {
      ...shared,
      DASHBOARD_URL: url,
      DATABASE_URL: `file:${join(folder, 'dashboard.db')}`,
      // Another site for browsers, as the real one is.
      DISCORD_API_URL: discord.apiUrl.replace('127.0.0.1', 'localhost'),
      SESSION_KEY: randomBytes(32).toString('base64'),
      // A single person opens the page again and again.
      RATE_LIMIT_PER_MINUTE: '0',
    },
  });
  return { api, dashboard: resources.use(dashboard) };
}

function mainOf(app: 'bot' | 'dashboard'): string {
  return fileURLToPath(new URL(`../../../${app}/dist/main.js`, import.meta.url));
}
