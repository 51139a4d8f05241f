import { type GuildMember, LIMITS, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { DiscordUnavailableError } from '../auth/discord-api.ts';
import type { BotApi, Person } from './bot-api.ts';
import type { LookupParts } from './requests.ts';
import { ABSENT, cacheOptions, type GuildLookup, type KnownPresence, problemOfLookup } from './requests.ts';

/** Time for which a name is reused: people rarely change their names. */
const TTL_MS = 300_000;

const MAX_PEOPLE = 20_000;

/** Time limit of a request. Names found by then are cached for the next one. */
const TIMEOUT_MS = 7_000;

interface MembersQuery extends GuildLookup, KnownPresence {
  readonly userIds: readonly Snowflake[];
  /** People who are named even if they have left the guild. */
  readonly authors: ReadonlySet<Snowflake>;
}

interface PersonLookup extends GuildLookup {
  readonly userId: Snowflake;
  readonly isAuthor: boolean;
}

/** Finds the names of people as Discord states them to the bot. Simultaneous look-ups of a person share the request. */
export class MemberService {
  readonly #monotonicMs: () => number;
  readonly #people: LRUCache<string, Person | typeof ABSENT, PersonLookup>;

  constructor({ api, lookups, monotonicMs }: LookupParts) {
    this.#monotonicMs = monotonicMs;
    this.#people = new LRUCache({
      ...cacheOptions(TTL_MS, monotonicMs),
      max: MAX_PEOPLE,
      fetchMethod: (_key, _stale, { context }) => lookups.run(context, (signal) => findPerson(api, context, signal)),
    });
  }

  /**
   * Returns people with their names in the guild, in the order of the ids, without those unknown to Discord. Requests
   * are sent one after another, because Discord limits the rate for the members of a guild.
   * @throws ProblemError bot-token-missing, rate-limited, discord-unavailable
   */
  async list({ id, userIds, authors, presence, person }: MembersQuery): Promise<GuildMember[]> {
    const endMs = this.#monotonicMs() + TIMEOUT_MS;
    const people: GuildMember[] = [];
    try {
      for (const userId of userIds) {
        if (this.#monotonicMs() > endMs) throw new DiscordUnavailableError('timeout');
        const isAuthor = authors.has(userId);
        const found = await this.#people.forceFetch(`${id} ${userId} ${presence} ${isAuthor}`, {
          context: { id, userId, isAuthor, person },
        });
        if (found !== ABSENT) people.push({ id: userId, name: found.name, avatar: found.avatar });
      }
    } catch (error) {
      problemOfLookup(error, 'The names');
    }
    return people;
  }
}

/**
 * Looks up a member. An author who has left is read as a user. Other people are not disclosed to a guild that they are
 * not in.
 */
async function findPerson(
  api: BotApi,
  { id, userId, isAuthor }: PersonLookup,
  signal: AbortSignal,
): Promise<Person | typeof ABSENT> {
  try {
    return await api.namedMember(id, userId, signal);
  } catch (error) {
    if (!(error instanceof DiscordUnavailableError && error.status === 404)) throw error;
    return isAuthor ? api.user(userId, signal) : ABSENT;
  }
}

const SEARCH_TTL_MS = 30_000;

const MAX_SIZE = 20_000;

interface SearchLookup extends GuildLookup {
  readonly query: string;
}

export class MemberSearch {
  readonly #results: LRUCache<string, readonly Person[] | typeof ABSENT, SearchLookup>;

  constructor({ api, lookups, monotonicMs }: LookupParts) {
    this.#results = new LRUCache({
      ...cacheOptions(SEARCH_TTL_MS, monotonicMs),
      maxSize: MAX_SIZE,
      sizeCalculation: (found) => (found === ABSENT ? 1 : 1 + found.length),
      fetchMethod: (_key, _stale, { context: { query, ...lookup } }) =>
        lookups.run(lookup, (signal) => api.searchMembers(lookup.id, { query, limit: LIMITS.members }, signal)),
    });
  }

  /**
   * Returns members whose username or nickname starts with a text, in Discord's order.
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
