import { fileURLToPath } from 'node:url';
import { APPLICATION_ID, BOT_TOKEN, CLIENT_SECRET } from '../data/world.ts';
import { type Server, startServer } from './server.ts';

const MAIN = fileURLToPath(new URL('../../../bot/dist/main.js', import.meta.url));

interface BotOptions {
  /** Its database file. */
  readonly path: string;
  readonly discordUrl: string;
}

/** Starts the bot as in production, while the service is unreachable. */
export function startBot({ path, discordUrl }: BotOptions): Promise<Server> {
  return startServer({
    file: MAIN,
    portVariable: 'HEALTH_PORT',
    env: {
      DATABASE_URL: `file:${path}`,
      API_URL: 'http://127.0.0.1:1',
      DISCORD_API_URL: discordUrl,
      DISCORD_APPLICATION_ID: APPLICATION_ID,
      DISCORD_CLIENT_SECRET: CLIENT_SECRET,
      DISCORD_BOT_TOKEN: BOT_TOKEN,
      LOG_LEVEL: 'error',
    },
  });
}
