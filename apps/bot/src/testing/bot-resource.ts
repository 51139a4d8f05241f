import { DEFAULT_SETTINGS, type RecordSettings } from '@guild-settings/contract';
import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import { type Follow, Replica } from '@guild-settings/replica';
import { temporaryFile, unreachableUrl } from '@guild-settings/testing';
import type { Client } from 'discord.js';
import { type BotOptions, startBot } from '../bot.ts';
import { readBotConfig } from '../config.ts';
import { APPLICATION, discordResource, GUILD, TOKEN, unhurried } from './discord-resource.ts';

/** Limits that no test of other behaviour reaches. */
const UNLIMITED = { cooldown: { burst: 10_000, intervalMs: 1 }, maxPendingReplies: 10_000 };

interface BotResourceOptions extends Pick<BotOptions, 'clock' | 'limits' | 'drainTimeoutMs' | 'onClient' | 'onEnded'> {
  /** Settings of the guild in the bot's file; none by default. */
  readonly settings?: Partial<RecordSettings>;
  readonly env?: NodeJS.ProcessEnv;
}

/** A bot on the simulator without a settings service, stopped at the end of its scope. */
export async function botResource(
  discord: DiscordSim,
  { settings, env, limits = UNLIMITED, onClient, ...options }: BotResourceOptions = {},
) {
  const file = temporaryFile();
  if (settings !== undefined) await remember(file.path, settings);
  const log: Record<string, unknown>[] = [];
  const config = readBotConfig({
    API_URL: await unreachableUrl(),
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: TOKEN,
    DATABASE_URL: `file:${file.path}`,
    HEALTH_PORT: '0',
    LOG_LEVEL: 'trace',
    ...env,
  });
  const bot = await startBot(config, {
    logTo: { write: (line: string) => void log.push(JSON.parse(line)) },
    ...options,
    limits,
    onClient(client: Client) {
      unhurried(client);
      onClient?.(client);
    },
  }).catch(async (error: unknown) => {
    file[Symbol.dispose]();
    throw error;
  });
  return {
    ...bot,
    log,
    path: file.path,
    async [Symbol.asyncDispose]() {
      await bot.stop();
      file[Symbol.dispose]();
    },
  };
}

/** A bot that is connected to a simulator of its own. Both are stopped at the end of its scope. */
export async function connectedBot(options: BotResourceOptions = {}, simOptions: DiscordSimOptions = {}) {
  const discord = await discordResource(simOptions);
  const bot = await botResource(discord, options);
  await bot.connected;
  return {
    discord,
    bot,
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await discord.close();
    },
  };
}

/** Writes the settings of a guild to the bot's file, as a bot that had reached the service does. */
async function remember(path: string, settings: Partial<RecordSettings>): Promise<void> {
  const epoch = 'before';
  const guild = { id: GUILD.id, name: GUILD.name, icon: GUILD.icon, ...DEFAULT_SETTINGS, ...settings };
  const follow: Follow = async function* () {
    yield { cursor: { epoch, revision: 0 }, event: { type: 'reset', epoch } };
    yield { cursor: { epoch, revision: 1 }, event: { type: 'guild', revision: 1, guild } };
    yield { cursor: { epoch, revision: 1 }, event: { type: 'live', revision: 1 } };
  };
  const replica = new Replica({ path, follow });
  replica.start();
  await replica.waitUntilLive();
  await replica.close();
}
