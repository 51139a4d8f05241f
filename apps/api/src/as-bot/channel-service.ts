import { type GuildChannel, type GuildId, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { GuildAccess } from '../auth/guild-access.ts';
import { personOf } from '../auth/principal.ts';
import type { Clock } from '../clock.ts';
import type { BotApi } from './bot-api.ts';
import { type GuildView, listChannels } from './channel-list.ts';
import { ABSENT, cacheOptions, type GuildLookup, type GuildLookups, problemOfLookup } from './guild-lookups.ts';
import type { PermissionMember } from './permissions.ts';

/** Time for which a result is reused. */
const TTL_MS = 30_000;

/** Size of the cache of guilds: a channel, an overwrite and a role count one each. A usual guild has some hundred. */
const MAX_GUILDS_SIZE = 250_000;

const MAX_MEMBERS = 10_000;

/** Time for the request for the bot's id. */
const OWN_ID_TIMEOUT_MS = 7_000;

interface ChannelServiceOptions {
  readonly api: BotApi;
  readonly lookups: GuildLookups;
  readonly applicationId: Snowflake;
  readonly clock: Clock;
}

/** A question for the channels of a guild. */
export interface ChannelsQuery {
  /** Whether the bot is in the guild, as the store knows it. A result from before a change of it is not reused. */
  readonly presence: string;
}

type Cache<Value extends object, Context> = LRUCache<string, Value | typeof ABSENT, Context>;

/** Lists the channels of guilds as Discord describes them to the bot. Simultaneous questions for a guild share the requests. */
export class ChannelService {
  readonly #options: ChannelServiceOptions;
  readonly #views: Cache<GuildView, GuildLookup>;
  readonly #members: Cache<PermissionMember, GuildLookup & { readonly userId: Snowflake }>;
  #ownId: Promise<Snowflake> | undefined;

  constructor(options: ChannelServiceOptions) {
    this.#options = options;
    const { api, lookups } = options;
    const shared = cacheOptions(TTL_MS, options.clock.monotonicMs);
    this.#views = new LRUCache({
      ...shared,
      maxSize: MAX_GUILDS_SIZE,
      sizeCalculation: sizeOf,
      fetchMethod: (_key, _stale, { context }) => lookups.run(context, this.#view(context.id)),
    });
    this.#members = new LRUCache({
      ...shared,
      max: MAX_MEMBERS,
      fetchMethod: (_key, _stale, { context }) =>
        lookups.run(context, (signal) => api.member(context.id, context.userId, signal)),
    });
  }

  /**
   * Returns the channels that the caller sees, and whether the bot can announce in them. The application sees all of them.
   * @throws ProblemError bot-absent, not-guild-manager, bot-token-missing, rate-limited, discord-unavailable
   */
  async list({ id, principal }: GuildAccess, { presence }: ChannelsQuery): Promise<GuildChannel[]> {
    const lookup = { id, person: personOf(principal) };
    const isUser = principal.kind === 'user' && principal.managedGuilds.get(id)?.isOwner !== true;
    const [view, caller] = await Promise.all([
      this.#views.forceFetch(`${id} ${presence}`, { context: lookup }),
      isUser
        ? this.#members.forceFetch(`${id} ${principal.userId} ${presence}`, {
            context: { ...lookup, userId: principal.userId },
          })
        : null,
    ]).catch((error: unknown) => problemOfLookup(error, 'The channels'));
    if (view === ABSENT) throw new ProblemError('bot-absent');
    if (caller === ABSENT) throw new ProblemError('not-guild-manager');
    return listChannels(view, caller, this.#options.clock.nowMs());
  }

  /** Returns the look-up of a guild. When it is repeated, what was received before is not requested again. */
  #view(id: GuildId): (signal: AbortSignal) => Promise<GuildView> {
    const { api } = this.#options;
    const guildOnce = once((signal) => api.guild(id, signal));
    const channelsOnce = once((signal) => api.channels(id, signal));
    const botOnce = once(async (signal) => api.member(id, await this.#requestOwnId(), signal));
    return async (signal) => {
      const [guild, channels, bot] = await Promise.all([guildOnce(signal), channelsOnce(signal), botOnce(signal)]);
      return { guild, channels, bot };
    };
  }

  /** Returns the id of the bot, which is requested once: look-ups that need it meanwhile share the request. */
  #requestOwnId(): Promise<Snowflake> {
    this.#ownId ??= this.#readOwnId().catch((error: unknown) => {
      this.#ownId = undefined;
      throw error;
    });
    return this.#ownId;
  }

  /** Sends the request with a deadline of its own: a look-up that has begun it may end before others that wait for it. */
  async #readOwnId(): Promise<Snowflake> {
    const { id, botId } = await this.#options.api.application(AbortSignal.timeout(OWN_ID_TIMEOUT_MS));
    if (id !== this.#options.applicationId) throw otherApplication();
    return botId;
  }
}

/** Returns a function that sends a request until it has succeeded once, and returns that result afterwards. */
function once<T extends object>(request: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let result: T | undefined;
  return async (signal) => {
    result ??= await request(signal);
    return result;
  };
}

function sizeOf(view: GuildView | typeof ABSENT): number {
  if (view === ABSENT) return 1;
  const overwrites = view.channels.reduce((count, channel) => count + channel.overwrites.length, 0);
  return 1 + view.guild.roles.size + view.channels.length + overwrites;
}

function otherApplication(): ProblemError {
  return new ProblemError('bot-token-missing', {
    detail:
      "The service's DISCORD_BOT_TOKEN is of another application. Its operator sets that of DISCORD_APPLICATION_ID.",
  });
}
