import type { Shards } from '@guild-settings/replica';
import { Client, DiscordAPIError, Events, GatewayCloseCodes, GatewayIntentBits, Options, Routes } from 'discord.js';
import { z } from 'zod';
import { type RetryOptions, retry } from './retry.ts';

/** Members that are remembered in a guild, and for what they may do there; each message brings its author's anew. */
const MEMBERS_KEPT = 200;

/** How long a start waits for guilds that are in an outage, in milliseconds: nothing is answered meanwhile. */
const GUILD_WAIT = 3_000;

export interface GatewayClientOptions {
  /** Discord's REST API with its version, such as `https://discord.com/api/v10`. */
  readonly apiUrl: string;
  readonly shards: Shards | null;
}

/** A client that hears of guilds, commands and messages, and remembers no more of them than it has to. */
export function gatewayClient({ apiUrl, shards }: GatewayClientOptions): Client {
  const [, api = apiUrl, version = '10'] = /^(.*)\/v(\d+)$/.exec(apiUrl) ?? [];
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
    // Nobody is notified by what somebody had the bot repeat.
    allowedMentions: { parse: [], repliedUser: true },
    rest: { api, version },
    waitGuildTimeout: GUILD_WAIT,
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      GuildMemberManager: { maxSize: MEMBERS_KEPT, keepOverLimit: (member) => member.id === member.client.user.id },
      UserManager: { maxSize: 1_000, keepOverLimit: (user) => user.id === user.client.user.id },
    }),
    ...(shards ? { shards: [...shards.ids], shardCount: shards.count } : { shards: 'auto' }),
  });
  // discord.js forgets a token that was refused once. Whether it is good is for the gateway to say.
  const setToken = client.rest.setToken.bind(client.rest);
  client.rest.setToken = (token: string | null) => setToken((token ?? client.token) as string);
  return client;
}

/** Discord does not let this bot in, and never will as it is. The message says what to do. */
export class LoginRefusedError extends Error {
  override readonly name = 'LoginRefusedError';
}

/**
 * Logs in as soon as Discord can be reached.
 * @throws LoginRefusedError
 * @throws what made the login fail after Discord was reached: the client is of no more use then
 * @throws the signal's reason when that aborts
 */
export async function logIn(client: Client, token: string, retryOptions: RetryOptions): Promise<void> {
  client.rest.setToken(token);
  try {
    // A client whose login has failed is of no more use, so Discord is asked first.
    await retry(
      async (signal) => GatewayBot.parse(await client.rest.get(Routes.gatewayBot(), { signal })),
      retryOptions,
    );
    await loggedIn(client, token, retryOptions.signal);
  } catch (error) {
    throw error instanceof DiscordAPIError && error.status === 401 ? new LoginRefusedError(UNKNOWN_TOKEN) : error;
  }
}

/** What discord.js relies on. Something else is Discord failing, and no reason to give up. */
const GatewayBot = z.object({ url: z.string(), session_start_limit: z.object({ reset_after: z.number() }) });

const UNKNOWN_TOKEN = 'Discord does not know DISCORD_BOT_TOKEN. Take it from the page "Bot" of the developer portal.';

/** What to do when the gateway ends a connection for good. */
const ADVICE: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: UNKNOWN_TOKEN,
  [GatewayCloseCodes.InvalidShard]: 'Discord does not take these SHARDS of SHARD_COUNT.',
  [GatewayCloseCodes.ShardingRequired]: 'The bot is in too many guilds for this SHARD_COUNT: raise it.',
  [GatewayCloseCodes.DisallowedIntents]:
    'Discord does not let the bot read messages. Switch "Message Content Intent" on, on the page "Bot" of the developer portal.',
};

async function loggedIn(client: Client, token: string, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const refused = new Promise<never>((_, reject) => {
    client.once(Events.ShardDisconnect, ({ code }) => {
      reject(new LoginRefusedError(ADVICE[code] ?? `Discord ended the connection for good (${code}).`));
    });
    // discord.js cannot be told to give up.
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  });
  await Promise.race([client.login(token), refused]).finally(() => over.abort());
}
