import type { Shards } from '@guild-settings/replica';
import { Client, DiscordAPIError, Events, GatewayCloseCodes, GatewayIntentBits, Options, Routes } from 'discord.js';
import { z } from 'zod';
import { type RetryOptions, retry } from './retry.ts';

/** Members of a guild in the cache. Each message contains its author's member. */
const MAX_CACHED_MEMBERS = 200;

/** The time for which the start waits for guilds in an outage, in milliseconds. No command runs meanwhile. */
const GUILDS_TIMEOUT_MS = 3_000;

export interface GatewayClientOptions {
  /** Discord's REST API with its version, such as `https://discord.com/api/v10`. */
  readonly apiUrl: string;
  readonly shards: Shards | null;
  readonly readsMessages?: boolean;
}

const MESSAGE_INTENTS = [GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent];

/** Returns a discord.js client that receives guilds, commands and messages, and caches as little as possible. */
export function gatewayClient({ apiUrl, shards, readsMessages = true }: GatewayClientOptions): Client {
  const [, api = apiUrl, version = '10'] = /^(.*)\/v(\d+)$/.exec(apiUrl) ?? [];
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, ...(readsMessages ? MESSAGE_INTENTS : [])],
    // Mentions in text that a user had the bot repeat do not notify.
    allowedMentions: { parse: [], repliedUser: true },
    rest: { api, version },
    waitGuildTimeout: GUILDS_TIMEOUT_MS,
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      GuildMemberManager: {
        maxSize: MAX_CACHED_MEMBERS,
        keepOverLimit: (member) => member.id === member.client.user.id,
      },
      UserManager: { maxSize: 1_000, keepOverLimit: (user) => user.id === user.client.user.id },
    }),
    ...(shards ? { shards: [...shards.ids], shardCount: shards.count } : { shards: 'auto' }),
  });
  // discord.js deletes its token after one 401. Only the gateway decides whether a token is valid.
  const setToken = client.rest.setToken.bind(client.rest);
  client.rest.setToken = (token: string | null) => setToken((token ?? client.token) as string);
  return client;
}

/** Discord rejects the bot for good. The message says what to change. */
export class LoginRefusedError extends Error {
  override readonly name = 'LoginRefusedError';

  static ofCloseCode(code: number): LoginRefusedError {
    return new LoginRefusedError(ADVICE[code] ?? `Discord ended the connection for good (${code}).`);
  }
}

/**
 * Logs in, and retries until Discord can be reached.
 * @throws LoginRefusedError
 * @throws the error of a login that failed after Discord was reached: the client cannot be used again
 * @throws the signal's reason when that aborts
 */
export async function logIn(client: Client, token: string, retryOptions: RetryOptions): Promise<void> {
  client.rest.setToken(token);
  try {
    // A client cannot log in again after a failure, so the gateway's URL is requested first.
    await retry(
      async (signal) => GatewayBot.parse(await client.rest.get(Routes.gatewayBot(), { signal })),
      retryOptions,
    );
    await loggedIn(client, token, retryOptions.signal);
  } catch (error) {
    throw error instanceof DiscordAPIError && error.status === 401 ? new LoginRefusedError(UNKNOWN_TOKEN) : error;
  }
}

/** @throws LoginRefusedError when the bot that has logged in is that of another application */
export function requireApplication({ application }: Client, applicationId: string): void {
  if (application === null || application.id === applicationId) return;
  throw new LoginRefusedError(
    `DISCORD_BOT_TOKEN is of the application ${application.id}, and not of DISCORD_APPLICATION_ID, ${applicationId}. Take both from the same application of the developer portal.`,
  );
}

/** The fields that discord.js needs. Any other response is a failure of Discord and is retried. */
const GatewayBot = z.object({ url: z.string(), session_start_limit: z.object({ reset_after: z.number() }) });

const UNKNOWN_TOKEN = 'Discord does not know DISCORD_BOT_TOKEN. Take it from the page "Bot" of the developer portal.';

/** Advice for each close code after which discord.js does not reconnect. */
const ADVICE: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: UNKNOWN_TOKEN,
  [GatewayCloseCodes.InvalidShard]: 'Discord does not take these SHARDS of SHARD_COUNT.',
  [GatewayCloseCodes.ShardingRequired]: 'The bot is in too many guilds for this SHARD_COUNT: raise it.',
  [GatewayCloseCodes.DisallowedIntents]:
    'Discord does not let the bot read messages. Switch "Message Content Intent" on, on the page "Bot" of the developer portal, or set PREFIX_COMMANDS=off to run the bot with slash commands only.',
};

async function loggedIn(client: Client, token: string, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const refused = new Promise<never>((_, reject) => {
    client.once(Events.ShardDisconnect, ({ code }) => reject(LoginRefusedError.ofCloseCode(code)));
    // `login` takes no signal.
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  });
  await Promise.race([client.login(token), refused]).finally(() => over.abort());
}
