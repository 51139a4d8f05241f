import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { APPLICATION, BOT, startWorld } from '@guild-settings/discord-sim/testing/world';
import { freePort } from '@guild-settings/testing';
import type { BenchContext } from '../context.ts';
import { startApi } from './api.ts';
import { type Server, startServer } from './server.ts';

const BOT_MAIN = fileURLToPath(new URL('../../../bot/dist/main.js', import.meta.url));

/**
 * Starts a simulated Discord, the api with the page, and the bot. None of them is pinned.
 * @param databaseUrl the database of the api: a file of its own unless given
 */
export async function startDashboard({ resources, folder }: BenchContext, databaseUrl?: string): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const discord = resources.use(await startWorld({ redirectUris: [`${url}/callback`] }));
  const place = 'anywhere';
  const api = resources.use(
    await startApi({
      databaseUrl: databaseUrl ?? `file:${join(folder, 'api.db')}`,
      discordUrl: discord.apiUrl,
      place,
      port,
      env: {
        DISCORD_BOT_TOKEN: BOT.token,
        DASHBOARD_URL: url,
        DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
        SESSION_KEY: randomBytes(32).toString('base64'),
        // Another site for browsers, as the real one is.
        DISCORD_AUTHORIZE_URL: `${discord.url.replace('127.0.0.1', 'localhost')}/oauth2/authorize`,
      },
    }),
  );
  const bot = await startServer({
    file: BOT_MAIN,
    place,
    portVariable: 'HEALTH_PORT',
    env: {
      API_URL: api.url,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_BOT_TOKEN: BOT.token,
      DATABASE_URL: `file:${join(folder, `bot-${port}.db`)}`,
      LOG_LEVEL: 'error',
    },
  });
  resources.use(bot);
  return api;
}
