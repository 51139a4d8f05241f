import { DEFAULT_SETTINGS, type GuildSettings, type WatchEvent } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { temporaryFile, unreachableUrl } from '@guild-settings/testing';
import type { Client } from 'discord.js';
import { type BotOptions, startBot } from '../bot.ts';
import { readBotConfig } from '../config.ts';
import { openReplicaFile } from '../replica/replica-file.ts';
import { APPLICATION, GUILD, TOKEN, unhurried } from './discord-resource.ts';

/** For tests of other things, which use commands as fast as they can. */
const UNLIMITED = { cooldown: { burst: 10_000, intervalMs: 1 }, maxPendingReplies: 10_000 };

interface BotResourceOptions extends Pick<BotOptions, 'clock' | 'limits' | 'onClient'> {
  /** What the bot's file says of the guild; nothing unless given. */
  readonly settings?: Partial<GuildSettings>;
  readonly env?: NodeJS.ProcessEnv;
}

/** A bot on the simulator whose settings service is not there, stopped at the end of its scope. */
export async function botResource(
  discord: DiscordSim,
  { settings, env, clock, limits = UNLIMITED, onClient }: BotResourceOptions = {},
) {
  const file = temporaryFile();
  if (settings !== undefined) remember(file.path, settings);
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
    ...(clock && { clock }),
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

/** Puts a guild into the bot's file, as if the service had been there before. */
function remember(path: string, settings: Partial<GuildSettings>): void {
  const file = openReplicaFile(path, 'all');
  const cursor = { epoch: 'before', revision: 1 };
  const guild = { id: GUILD.id, name: GUILD.name, icon: GUILD.icon, ...DEFAULT_SETTINGS, ...settings };
  const events: readonly WatchEvent[] = [
    { type: 'reset', epoch: 'before' },
    { type: 'guild', revision: 1, guild },
    { type: 'live', revision: 1 },
  ];
  for (const event of events) file.apply({ cursor, event }, Date.now());
  file.close();
}
