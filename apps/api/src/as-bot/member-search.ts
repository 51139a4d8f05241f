import { type GuildMember, LIMITS, ProblemError } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { BotApi } from './bot-api.ts';
import type { Person } from './discord-person.ts';
import {
  ABSENT,
  cacheOptions,
  type GuildLookup,
  type GuildLookups,
  type KnownPresence,
  problemOfLookup,
} from './guild-lookups.ts';

const TTL_MS = 30_000;

const MAX_SIZE = 20_000;

interface MemberSearchOptions {
  readonly api: BotApi;
  readonly lookups: GuildLookups;
  readonly monotonicMs: () => number;
}

interface SearchLookup extends GuildLookup {
  readonly query: string;
}

export class MemberSearch {
  readonly #results: LRUCache<string, readonly Person[] | typeof ABSENT, SearchLookup>;

  constructor({ api, lookups, monotonicMs }: MemberSearchOptions) {
    this.#results = new LRUCache({
      ...cacheOptions(TTL_MS, monotonicMs),
      maxSize: MAX_SIZE,
      sizeCalculation: (found) => (found === ABSENT ? 1 : 1 + found.length),
      fetchMethod: (_key, _stale, { context: { query, ...lookup } }) =>
        lookups.run(lookup, (signal) => api.searchMembers(lookup.id, { query, limit: LIMITS.members }, signal)),
    });
  }

  /**
   * Returns members whose username or nickname begins with a text, in Discord's order.
   * @throws ProblemError bot-absent, bot-token-missing, rate-limited, discord-unavailable
   */
  async find({ presence, ...context }: SearchLookup & KnownPresence): Promise<GuildMember[]> {
    const found = await this.#results
      .forceFetch(`${context.id} ${presence} ${context.query}`, { context })
      .catch((error: unknown) => problemOfLookup(error, 'The members'));
    if (found === ABSENT) throw new ProblemError('bot-absent');
    return [...found];
  }
}
