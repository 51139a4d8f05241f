import type { Bot } from '@guild-settings/bot';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { readSandboxConfig } from '../config.ts';
import { startSandbox } from '../start-sandbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A sandbox with its bot, gone at the end of its scope. */
export interface BotSandbox extends AsyncDisposable {
  readonly apiUrl: string;
  readonly discord: DiscordSim;
  readonly bot: Bot;
}

/** Starts everything on free ports, on fresh files. */
export async function startBotSandbox(): Promise<BotSandbox> {
  const folder = await temporaryFolder();
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `file:${folder.path}/api.db`,
    BOT_DATABASE_URL: `file:${folder.path}/bot.db`,
    LOG_LEVEL: 'warn',
  });
  const { apiUrl, simulator, bot, close } = await startSandbox(config);
  if (!simulator || !bot) throw new Error('Expected a simulated Discord and a bot');
  return {
    apiUrl,
    discord: simulator,
    bot,
    async [Symbol.asyncDispose]() {
      await close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
