import { type Bot, type BotOptions, readBotConfig, startBot } from '@guild-settings/bot';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT } from '@guild-settings/discord-sim/testing/world';
import type { Client } from 'discord.js';

export interface TestBotOptions {
  readonly apiUrl: string;
  readonly discord: Pick<DiscordSim, 'apiUrl'>;
  readonly path: string;
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly clock?: () => number;
  readonly env?: NodeJS.ProcessEnv;
  /** `UNLIMITED` unless given. */
  readonly limits?: BotOptions['limits'];
}

/** Limits that tests do not reach: they send commands as fast as possible. */
export const UNLIMITED = { cooldown: { burst: 10_000, intervalMs: 1 }, maxPendingReplies: 10_000 };

export function botEnvironment({ apiUrl, discord, path }: TestBotOptions): Record<string, string> {
  return {
    API_URL: apiUrl,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: BOT.token,
    DATABASE_URL: `file:${path}`,
    HEALTH_PORT: '0',
  };
}

/** Starts a bot, waits until it is connected, and stops it at the end of its scope. */
export async function startTestBot(options: TestBotOptions): Promise<Bot & AsyncDisposable> {
  const config = readBotConfig({ ...botEnvironment(options), LOG_LEVEL: 'silent', ...options.env });
  const bot = await startBot(config, {
    ...(options.clock && { clock: options.clock }),
    limits: options.limits ?? UNLIMITED,
    onClient: identifyAtOnce,
  });
  await bot.connected;
  return Object.defineProperty(bot, Symbol.asyncDispose, { value: bot.stop }) as Bot & AsyncDisposable;
}

/** Removes the five seconds between two identifications. */
function identifyAtOnce({ options }: Client): void {
  options.ws = { ...options.ws, buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) };
}
