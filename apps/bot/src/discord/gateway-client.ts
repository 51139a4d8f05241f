import { setTimeout as delay } from 'node:timers/promises';
import type { Shards } from '@guild-settings/replica';
import { type Backoff, backoffMs } from '@guild-settings/runtime/backoff';
import {
  Client,
  DiscordAPIError,
  Events,
  GatewayCloseCodes,
  GatewayIntentBits,
  Options,
  RateLimitError,
  type REST,
  Routes,
  ShardClientUtil,
  Status,
} from 'discord.js';
import { z } from 'zod';

/** Maximum cached members per guild. Each message contains its author's member. */
const MAX_CACHED_MEMBERS = 200;

/** Time for which the start waits for guilds in an outage, in milliseconds. Commands do not run meanwhile. */
const GUILDS_TIMEOUT_MS = 3_000;

interface GatewayClientOptions {
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
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildExpressions, ...(readsMessages ? MESSAGE_INTENTS : [])],
    // Mentions in text that a user makes the bot repeat do not notify.
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
  // discord.js deletes its token after a single 401. Only the gateway decides if a token is valid.
  const setToken = client.rest.setToken.bind(client.rest);
  client.rest.setToken = (token: string | null) => setToken((token ?? client.token) as string);
  return client;
}

/** Discord permanently rejects the bot. The message contains the remedy. */
export class LoginRefusedError extends Error {
  override readonly name = 'LoginRefusedError';

  static ofCloseCode(code: number): LoginRefusedError {
    return new LoginRefusedError(ADVICE[code] ?? `Discord permanently closed the connection (${code}).`);
  }
}

/**
 * Logs in, and retries until Discord can be reached.
 * @throws LoginRefusedError
 * @throws the error of a login that failed after Discord was reached: the client cannot be used again
 * @throws the signal's reason when it is aborted
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

/** @throws LoginRefusedError when the logged-in bot belongs to another application */
export function requireApplication({ application }: Client, applicationId: string): void {
  if (application === null || application.id === applicationId) return;
  throw new LoginRefusedError(
    `DISCORD_BOT_TOKEN belongs to the application ${application.id}, not to DISCORD_APPLICATION_ID, ${applicationId}. Take both from the same application of the developer portal.`,
  );
}

/** The fields that discord.js needs. Any other response counts as a failure of Discord and is retried. */
const GatewayBot = z.object({ url: z.string(), session_start_limit: z.object({ reset_after: z.number() }) });

const UNKNOWN_TOKEN = 'Discord does not accept DISCORD_BOT_TOKEN. Take it from the page "Bot" of the developer portal.';

/** Advice for each close code after which discord.js does not reconnect. */
const ADVICE: Readonly<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: UNKNOWN_TOKEN,
  [GatewayCloseCodes.InvalidShard]: 'Discord does not accept these SHARDS of SHARD_COUNT.',
  [GatewayCloseCodes.ShardingRequired]: 'The bot is in too many guilds for this SHARD_COUNT: raise it.',
  [GatewayCloseCodes.DisallowedIntents]:
    'Discord does not let the bot read messages. Switch "Message Content Intent" on, on the page "Bot" of the developer portal, or set PREFIX_COMMANDS=off to run the bot with slash commands only.',
};

async function loggedIn(client: Client, token: string, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const refused = new Promise<never>((_, reject) => {
    client.once(Events.ShardDisconnect, ({ code }) => reject(LoginRefusedError.ofCloseCode(code)));
    // `login` does not accept a signal.
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  });
  await Promise.race([client.login(token), refused]).finally(() => over.abort());
}

export type ClientShards = ReturnType<typeof shardsOf>;

export function shardsOf(client: Client) {
  return {
    /** The number of guilds in this process. */
    get guilds() {
      return client.guilds.cache.size;
    },
    shardOf(guildId: string) {
      const count = client.options.shardCount ?? 1;
      return { id: ShardClientUtil.shardIdForGuildId(guildId, count), count };
    },
  };
}

/**
 * Called when a shard loses its connection, with the error if there is one, and when all shards are connected again.
 */
interface ConnectionObserver {
  failed(error: unknown): void;
  recovered(): void;
}

export function isConnected(client: Client): boolean {
  return client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready);
}

export function followConnection(client: Client, { failed, recovered }: ConnectionObserver): void {
  const check = () => {
    if (isConnected(client)) recovered();
  };
  client.on(Events.ShardError, failed);
  client.on(Events.ShardReconnecting, () => failed(undefined));
  client.on(Events.ShardReady, check);
  client.on(Events.ShardResume, check);
}

/** Difference between the progress of the two clocks, in milliseconds, that counts as a step instead of drift. */
const STEP_MS = 1_000;

const CHECK_INTERVAL_MS = 1_000;

interface Clocks {
  readonly wall: () => number;
  readonly monotonic: () => number;
}

const SYSTEM: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/**
 * Corrects the rate limits of discord.js when the system's clock is set. Its REST client stores the end of a limit by
 * the system's clock, so after a step of an hour back a channel would wait for an hour. A step ends all limits. If that
 * is too early, Discord responds with 429 and the time to wait. A request that would wait for the wrong time is
 * rejected before it is sent, and retried.
 * @returns a function that stops the correction
 */
export function followClockSteps(rest: REST, clocks: Clocks = SYSTEM): () => void {
  const offset = () => clocks.wall() - clocks.monotonic();
  let known = offset();
  const check = (): boolean => {
    const step = offset() - known;
    if (Math.abs(step) < STEP_MS) return false;
    known += step;
    endLimits(rest, clocks.wall());
    return true;
  };
  rest.options.rejectOnRateLimit = check;
  const queueRequest = rest.queueRequest.bind(rest);
  rest.queueRequest = async (request) => {
    try {
      return await queueRequest(request);
    } catch (error) {
      // Only the check above rejects because of limits.
      if (!(error instanceof RateLimitError)) throw error;
      return queueRequest(request);
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Ends all limits. They are internal fields of discord.js, so they are only written if they are numbers. */
function endLimits(rest: REST, now: number): void {
  const end = (target: object, field: string) => {
    const until: unknown = Reflect.get(target, field);
    if (typeof until === 'number' && until > now) Reflect.set(target, field, now);
  };
  end(rest, 'globalReset');
  for (const handler of rest.handlers.values()) end(handler, 'reset');
}

interface RetryOptions {
  readonly signal: AbortSignal;
  /** Called with the error of a failed attempt and the milliseconds until the next one. */
  readonly onRetry: (error: unknown, delayMs: number) => void;
}

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 };

/**
 * Sends a request to Discord until it succeeds.
 * @throws DiscordAPIError when Discord refuses the request, which a retry would not change
 * @throws the signal's reason when it is aborted
 */
export async function retry<Result>(
  request: (signal: AbortSignal) => Promise<Result>,
  { signal, onRetry }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await request(signal);
    } catch (error) {
      if (error instanceof DiscordAPIError && error.status < 500 && error.status !== 429) throw error;
      signal.throwIfAborted();
      const delayMs = backoffMs(failures, BACKOFF);
      onRetry(error, delayMs);
      await delay(delayMs, undefined, { signal }).catch(() => {});
    }
  }
}
