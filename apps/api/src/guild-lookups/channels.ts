import {
  type AnnouncementPermission,
  botPermissionsText,
  type GuildChannel,
  ProblemError,
  type Snowflake,
} from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { DiscordUnavailableError } from '../auth/discord-api.ts';
import type { GuildAccess } from '../auth/guild-access.ts';
import { personOf } from '../auth/principal.ts';
import type { Clock } from '../clock.ts';
import type { BotApi, DiscordChannel, DiscordThread } from './bot-api.ts';
import { type GuildView, type GuildViews, VIEW_TTL_MS } from './guild-view.ts';
import { BITS, channelPermissions, has, type PermissionMember } from './permissions.ts';
import type { LookupParts } from './requests.ts';
import {
  ABSENT,
  cacheOptions,
  type GuildLookup,
  type GuildLookups,
  type KnownPresence,
  problemOfLookup,
} from './requests.ts';

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
   * Returns the channels that the caller can see, and what the bot lacks to announce in them. The application sees all
   * channels.
   * @param threadIds threads to include, if they exist in the guild and the caller can see them
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

/**
 * Discord's type numbers of the channels that are relevant here.
 * @see https://docs.discord.com/developers/resources/channel#channel-object-channel-types
 */
const CHANNEL_TYPE = { text: 0, voice: 2, category: 4, announcement: 5, stage: 13 } as const;

/** Types of channels that accept messages. Voice and stage channels have a chat; a forum only has threads. */
const MESSAGE_TYPES: ReadonlySet<number> = new Set([
  CHANNEL_TYPE.text,
  CHANNEL_TYPE.announcement,
  CHANNEL_TYPE.voice,
  CHANNEL_TYPE.stage,
]);

/** Types that need Connect for their chat, and that Discord's client shows below the other channels of a category. */
const VOICE_TYPES: ReadonlySet<number> = new Set([CHANNEL_TYPE.voice, CHANNEL_TYPE.stage]);

/** The permissions that the bot needs to announce in a channel, and in the chat of a voice or stage channel. */
const TEXT_PERMISSIONS = ['VIEW_CHANNEL', 'SEND_MESSAGES'] as const;
const VOICE_PERMISSIONS = ['VIEW_CHANNEL', 'CONNECT', 'SEND_MESSAGES'] as const;

export function listChannels(view: GuildView, caller: PermissionMember | null, nowMs: number): GuildChannel[] {
  const { guild, channels, bot } = view;
  const sees = ({ overwrites }: DiscordChannel) =>
    caller === null || has(channelPermissions(guild, caller, { overwrites, nowMs }), BITS.VIEW_CHANNEL);
  const seen = new Set(channels.filter(sees));
  const parents = new Set([...seen].map(({ parentId }) => parentId));
  const listed = channels.filter((channel) => seen.has(channel) || (isCategory(channel) && parents.has(channel.id)));
  return inOrder(listed).map((channel) => {
    const { id, type, name, position, parentId, overwrites } = channel;
    const permissions = channelPermissions(guild, bot, { overwrites, nowMs });
    const missing = missingPermissions(type, permissions);
    const botCanPost = MESSAGE_TYPES.has(type) && missing.length === 0;
    const botPermissions = botPermissionsText(permissions);
    return { id, type, name, position, parent_id: parentId, botCanPost, missing, botPermissions };
  });
}

function missingPermissions(type: number, permissions: bigint): AnnouncementPermission[] {
  if (!MESSAGE_TYPES.has(type)) return [];
  const needed = VOICE_TYPES.has(type) ? VOICE_PERMISSIONS : TEXT_PERMISSIONS;
  return needed.filter((name) => !has(permissions, BITS[name]));
}

function isCategory({ type }: DiscordChannel): boolean {
  return type === CHANNEL_TYPE.category;
}

function inOrder(channels: readonly DiscordChannel[]): DiscordChannel[] {
  const sorted = channels.toSorted(byPosition);
  const categories = sorted.filter(isCategory);
  const groups = new Map<string | null, DiscordChannel[]>(
    [null, ...categories.map(({ id }) => id)].map((id) => [id, []]),
  );
  for (const channel of sorted) {
    if (!isCategory(channel)) (groups.get(channel.parentId) ?? groups.get(null))?.push(channel);
  }
  return [...(groups.get(null) ?? []), ...categories.flatMap((one) => [one, ...(groups.get(one.id) ?? [])])];
}

function byPosition(a: DiscordChannel, b: DiscordChannel): number {
  const [voiceA, voiceB] = [VOICE_TYPES.has(a.type), VOICE_TYPES.has(b.type)];
  if (voiceA !== voiceB) return voiceA ? 1 : -1;
  if (a.position !== b.position) return a.position - b.position;
  return BigInt(a.id) < BigInt(b.id) ? -1 : 1;
}

/** Time for which a missing channel is remembered: a deleted channel does not come back. */
const GONE_TTL_MS = 600_000;

const MAX_THREADS = 20_000;

/** Time limit of a request. Threads found by then are cached for the next one. */
const TIMEOUT_MS = 7_000;

interface ThreadsQuery extends GuildLookup, KnownPresence {
  readonly ids: readonly Snowflake[];
}

interface ThreadLookup extends GuildLookup {
  readonly threadId: Snowflake;
}

/**
 * Finds threads by id: Discord lists only the active threads of a guild, and a setting may refer to an archived one.
 */
export class ThreadLookups {
  readonly #monotonicMs: () => number;
  readonly #threads: LRUCache<string, DiscordThread | typeof ABSENT, ThreadLookup>;

  constructor({ api, lookups, monotonicMs }: LookupParts) {
    this.#monotonicMs = monotonicMs;
    this.#threads = new LRUCache({
      ...cacheOptions(VIEW_TTL_MS, monotonicMs),
      max: MAX_THREADS,
      fetchMethod: (_key, _stale, { context, options }) =>
        lookups.run(context, async (signal) => {
          try {
            return await api.thread(context.threadId, signal);
          } catch (error) {
            // Does not count as a refusal: histories often contain channels that were deleted.
            if (!(error instanceof DiscordUnavailableError && error.status === 404)) throw error;
            options.ttl = GONE_TTL_MS;
            return ABSENT;
          }
        }),
    });
  }

  /**
   * Returns threads in the order of the ids, without those that are not in the guild or that the bot cannot see.
   * Requests to Discord are sent one after another.
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

/** Discord's type number of a private thread. */
const PRIVATE_THREAD = 12;

const THREAD_PERMISSIONS = ['VIEW_CHANNEL', 'SEND_MESSAGES_IN_THREADS'] as const;

interface ThreadListOptions {
  readonly view: GuildView;
  /** Null: a caller that can see every thread. */
  readonly caller: PermissionMember | null;
  readonly nowMs: number;
}

/**
 * Lists the threads that a caller can see, and the permissions that the bot lacks in each. A thread has the permissions
 * of its channel. A private thread is listed only for callers who manage threads, because its members are not known.
 */
function listThreads(threads: readonly DiscordThread[], options: ThreadListOptions): GuildChannel[] {
  const { view, caller, nowMs } = options;
  return threads.flatMap(({ id, type, name, parentId }) => {
    const parent = view.channels.find((channel) => channel.id === parentId);
    if (parent === undefined) return [];
    const permissionsOf = (member: PermissionMember) =>
      channelPermissions(view.guild, member, { overwrites: parent.overwrites, nowMs });
    const toSee = type === PRIVATE_THREAD ? BITS.MANAGE_THREADS : BITS.VIEW_CHANNEL;
    if (caller !== null && !has(permissionsOf(caller), toSee)) return [];
    const permissions = permissionsOf(view.bot);
    const missing = THREAD_PERMISSIONS.filter((permission) => !has(permissions, BITS[permission]));
    const bot = { botCanPost: missing.length === 0, missing, botPermissions: botPermissionsText(permissions) };
    return [{ id, type, name, position: 0, parent_id: parentId, ...bot }];
  });
}
