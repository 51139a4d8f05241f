import { fileURLToPath } from 'node:url';
import { APPLICATION_ID, BOT_TOKEN, CLIENT_SECRET } from '../data/world.ts';
import { type Server, startServer } from './server.ts';

const MAIN = fileURLToPath(new URL('../../../bot/dist/main.js', import.meta.url));

interface BotOptions {
  /** Its database file. */
  readonly path: string;
  readonly discordUrl: string;
  /** The service; an unreachable one unless given. */
  readonly apiUrl?: string;
  readonly token?: string;
  readonly clientSecret?: string;
}

/** Starts the bot as in production. */
export function startBot(options: BotOptions): Promise<Server> {
  const { path, discordUrl, apiUrl = 'http://127.0.0.1:1', token = BOT_TOKEN, clientSecret = CLIENT_SECRET } = options;
  return startServer({
    file: MAIN,
    portVariable: 'HEALTH_PORT',
    env: {
      DATABASE_URL: `file:${path}`,
      API_URL: apiUrl,
      DISCORD_API_URL: discordUrl,
      DISCORD_APPLICATION_ID: APPLICATION_ID,
      DISCORD_CLIENT_SECRET: clientSecret,
      DISCORD_BOT_TOKEN: token,
      LOG_LEVEL: 'error',
    },
  });
}
