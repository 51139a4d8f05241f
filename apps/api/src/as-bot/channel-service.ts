import { type GuildChannel, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { GuildAccess } from '../auth/guild-access.ts';
import { personOf } from '../auth/principal.ts';
import type { Clock } from '../clock.ts';
import type { BotApi } from './bot-api.ts';
import { listChannels } from './channel-list.ts';
import {
  ABSENT,
  cacheOptions,
  type GuildLookup,
  type GuildLookups,
  type KnownPresence,
  problemOfLookup,
} from './guild-lookups.ts';
import { type GuildViews, VIEW_TTL_MS } from './guild-views.ts';
import type { PermissionMember } from './permissions.ts';
import { listThreads } from './thread-list.ts';
import type { ThreadLookups } from './thread-lookups.ts';

const MAX_MEMBERS = 10_000;

interface ChannelServiceOptions {
  readonly api: BotApi;
  readonly lookups: GuildLookups;
  readonly views: GuildViews;
  readonly threads: ThreadLookups;
  readonly clock: Clock;
}

export class ChannelService {
  readonly #views: GuildViews;
  readonly #threads: ThreadLookups;
  readonly #clock: Clock;
  readonly #members: LRUCache<string, PermissionMember | typeof ABSENT, GuildLookup & { readonly userId: Snowflake }>;

  constructor({ api, lookups, views, threads, clock }: ChannelServiceOptions) {
    this.#views = views;
    this.#threads = threads;
    this.#clock = clock;
    this.#members = new LRUCache({
      ...cacheOptions(VIEW_TTL_MS, clock.monotonicMs),
      max: MAX_MEMBERS,
      fetchMethod: (_key, _stale, { context }) =>
        lookups.run(context, (signal) => api.member(context.id, context.userId, signal)),
    });
  }

  /**
   * Returns the channels that the caller sees, and whether the bot can announce in them. The application sees all of them.
   * @param threadIds threads to return as well, where the guild has them and the caller sees them
   * @throws ProblemError bot-absent, not-guild-manager, bot-token-missing, rate-limited, discord-unavailable
   */
  async list(
    { id, principal }: GuildAccess,
    known: KnownPresence,
    threadIds: readonly Snowflake[],
  ): Promise<GuildChannel[]> {
    const lookup = { id, person: personOf(principal) };
    const isUser = principal.kind === 'user' && principal.managedGuilds.get(id)?.isOwner !== true;
    const [view, caller] = await Promise.all([
      this.#views.get(lookup, known),
      isUser
        ? this.#members.forceFetch(`${id} ${principal.userId} ${known.presence}`, {
            context: { ...lookup, userId: principal.userId },
          })
        : null,
    ]).catch((error: unknown) => problemOfLookup(error, 'The channels'));
    if (caller === ABSENT) throw new ProblemError('not-guild-manager');
    const listed = new Set(view.channels.map((channel) => channel.id));
    const ids = threadIds.filter((threadId) => !listed.has(threadId));
    const threads = await this.#threads
      .find({ ...lookup, ...known, ids })
      .catch((error: unknown) => problemOfLookup(error, 'The threads'));
    const nowMs = this.#clock.nowMs();
    return [...listChannels(view, caller, nowMs), ...listThreads(threads, { view, caller, nowMs })];
  }
}
