import type { Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { DiscordUnavailableError } from '../auth/discord-api.ts';
import type { BotApi } from './bot-api.ts';
import type { DiscordThread } from './discord-guild.ts';
import { ABSENT, cacheOptions, type GuildLookup, type GuildLookups, type KnownPresence } from './guild-lookups.ts';
import { VIEW_TTL_MS } from './guild-views.ts';

/** Time for which it is remembered that there is no such channel: a deleted one does not come back. */
const GONE_TTL_MS = 600_000;

const MAX_THREADS = 20_000;

/** Time that one request may take. The threads that were found until then are cached for the next one. */
const TIMEOUT_MS = 7_000;

/** The threads of a guild that are wanted. */
interface ThreadsQuery extends GuildLookup, KnownPresence {
  readonly ids: readonly Snowflake[];
}

interface ThreadLookup extends GuildLookup {
  readonly threadId: Snowflake;
}

interface ThreadLookupsOptions {
  readonly api: BotApi;
  readonly lookups: GuildLookups;
  readonly monotonicMs: () => number;
}

/** Finds threads by their ids: Discord lists those of a guild only while they are active, and a setting may name an archived one. */
export class ThreadLookups {
  readonly #monotonicMs: () => number;
  readonly #threads: LRUCache<string, DiscordThread | typeof ABSENT, ThreadLookup>;

  constructor({ api, lookups, monotonicMs }: ThreadLookupsOptions) {
    this.#monotonicMs = monotonicMs;
    this.#threads = new LRUCache({
      ...cacheOptions(VIEW_TTL_MS, monotonicMs),
      max: MAX_THREADS,
      fetchMethod: (_key, _stale, { context, options }) =>
        lookups.run(context, async (signal) => {
          try {
            return await api.thread(context.threadId, signal);
          } catch (error) {
            // Not a refusal that counts: a channel that was deleted is in many a history.
            if (!(error instanceof DiscordUnavailableError && error.status === 404)) throw error;
            options.ttl = GONE_TTL_MS;
            return ABSENT;
          }
        }),
    });
  }

  /**
   * Returns threads in the order of the ids, without those that the guild does not have or that the bot does not see. Discord
   * receives one request after another.
   * @throws ProblemError bot-token-missing, rate-limited
   * @throws DiscordUnavailableError
   */
  async find({ id, person, presence, ids }: ThreadsQuery): Promise<DiscordThread[]> {
    const endMs = this.#monotonicMs() + TIMEOUT_MS;
    const threads: DiscordThread[] = [];
    for (const threadId of new Set(ids)) {
      if (this.#monotonicMs() > endMs) throw new DiscordUnavailableError('timeout');
      const found = await this.#threads.forceFetch(`${id} ${threadId} ${presence}`, {
        context: { id, person, threadId },
      });
      if (found !== ABSENT && found.guildId === id) threads.push(found);
    }
    return threads;
  }
}
