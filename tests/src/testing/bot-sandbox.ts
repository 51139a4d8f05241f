import type { Bot } from '@guild-settings/bot';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { readSandboxConfig, startSandbox } from '@guild-settings/sandbox';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { UNLIMITED } from './test-bot.ts';

/** A sandbox with its bot, stopped at the end of its scope. */
export interface BotSandbox extends AsyncDisposable {
  readonly apiUrl: string;
  readonly discord: DiscordSim;
  readonly bot: Bot;
  /** Reads the change log from the api's file. */
  changes(): ChangeRow[];
}

/** Some columns of the change log. */
export interface ChangeRow {
  readonly guild_id: string;
  readonly actor_id: string;
  readonly actor_kind: string;
  readonly origin: string;
  readonly reason: string | null;
  /** The changed values, as JSON. */
  readonly after: string;
}

/** Starts a sandbox on free ports and empty files. */
export async function startBotSandbox(): Promise<BotSandbox> {
  const folder = temporaryFolder();
  const config = readSandboxConfig({
    PORT: '0',
    SIM_PORT: '0',
    HEALTH_PORT: '0',
    DATABASE_URL: `file:${folder.path}/api.db`,
    BOT_DATABASE_URL: `file:${folder.path}/bot.db`,
    LOG_LEVEL: 'warn',
  });
  const { apiUrl, simulator, bot, database, close } = await startSandbox(
    { ...config, dashboard: null },
    { limits: UNLIMITED },
  );
  if (!simulator || !bot) throw new Error('Expected a simulated Discord and a bot');
  const changes = () => {
    const file = new Database(database, { readonly: true });
    try {
      return file.prepare('SELECT * FROM changes ORDER BY revision').all() as ChangeRow[];
    } finally {
      file.close();
    }
  };
  await waitUntil(() => changes().length > 0, { message: "the bot's report of its guilds" });
  return {
    apiUrl,
    discord: simulator,
    bot,
    changes,
    async [Symbol.asyncDispose]() {
      await close();
      folder[Symbol.dispose]();
    },
  };
}
