import { type GuildEmoji, type GuildId, type GuildRole, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import type { GuildAccess } from '../auth/guild-access.ts';
import { personOf } from '../auth/principal.ts';
import type { Clock } from '../clock.ts';
import type { DiscordChannel, DiscordGuild } from './bot-api.ts';
import { BITS, guildPermissions, has, type PermissionMember } from './permissions.ts';
import type { LookupParts } from './requests.ts';
import { ABSENT, cacheOptions, type GuildLookup, type KnownPresence, problemOfLookup } from './requests.ts';

export const VIEW_TTL_MS = 30_000;

/**
 * Size of the cache of guilds: each channel, overwrite, role and emoji counts one. A typical guild has some hundred.
 */
const MAX_GUILDS_SIZE = 250_000;

const OWN_ID_TIMEOUT_MS = 7_000;

export interface GuildView {
  readonly guild: DiscordGuild;
  readonly channels: readonly DiscordChannel[];
  readonly bot: PermissionMember;
}

interface GuildViewOptions extends LookupParts {
  readonly applicationId: Snowflake;
}

/** Looks up guilds as Discord describes them to the bot. Simultaneous look-ups of a guild share the requests. */
export class GuildViews {
  readonly #options: GuildViewOptions;
  readonly #views: LRUCache<string, GuildView | typeof ABSENT, GuildLookup>;
  #ownId: Promise<Snowflake> | undefined;

  constructor(options: GuildViewOptions) {
    this.#options = options;
    this.#views = new LRUCache({
      ...cacheOptions(VIEW_TTL_MS, options.monotonicMs),
      maxSize: MAX_GUILDS_SIZE,
      sizeCalculation: sizeOf,
      fetchMethod: (_key, _stale, { context }) => options.lookups.run(context, this.#lookup(context.id)),
    });
  }

  async get(context: GuildLookup, { presence }: KnownPresence): Promise<GuildView> {
    const view = await this.#views.forceFetch(`${context.id} ${presence}`, { context });
    if (view === ABSENT) throw new ProblemError('bot-absent');
    return view;
  }

  #lookup(id: GuildId): (signal: AbortSignal) => Promise<GuildView> {
    const { api } = this.#options;
    const guildOnce = once((signal) => api.guild(id, signal));
    const channelsOnce = once((signal) => api.channels(id, signal));
    const botOnce = once(async (signal) => api.member(id, await this.#requestOwnId(), signal));
    return async (signal) => {
      const [guild, channels, bot] = await Promise.all([guildOnce(signal), channelsOnce(signal), botOnce(signal)]);
      return { guild, channels, bot };
    };
  }

  /** Returns the id of the bot, which is requested once. Simultaneous look-ups share the request. */
  #requestOwnId(): Promise<Snowflake> {
    this.#ownId ??= this.#readOwnId().catch((error: unknown) => {
      this.#ownId = undefined;
      throw error;
    });
    return this.#ownId;
  }

  /** Sends the request with its own deadline: the look-up that started it may end before others that wait for it. */
  async #readOwnId(): Promise<Snowflake> {
    const { id, bot } = await this.#options.api.application(AbortSignal.timeout(OWN_ID_TIMEOUT_MS));
    if (id !== this.#options.applicationId) throw otherApplication();
    return bot.id;
  }
}

/** Returns a function that sends a request until it succeeds, and returns that result from then on. */
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
  return 1 + view.guild.roles.size + view.guild.emojis.length + view.channels.length + overwrites;
}

function otherApplication(): ProblemError {
  return new ProblemError('bot-token-missing', {
    detail:
      "The service's DISCORD_BOT_TOKEN belongs to another application. Its operator has to set that of DISCORD_APPLICATION_ID.",
  });
}

export class RoleService {
  readonly #views: GuildViews;
  readonly #clock: Clock;

  constructor(views: GuildViews, clock: Clock) {
    this.#views = views;
    this.#clock = clock;
  }

  /**
   * Returns the roles without `@everyone`, highest first, and if the bot can assign them.
   * @throws ProblemError bot-absent, bot-token-missing, rate-limited, discord-unavailable
   */
  async list({ id, principal }: GuildAccess, known: KnownPresence): Promise<GuildRole[]> {
    const lookup = { id, person: personOf(principal) };
    const view = await this.#views.get(lookup, known).catch((error: unknown) => problemOfLookup(error, 'The roles'));
    return listRoles(view, this.#clock.nowMs());
  }
}

export function listRoles({ guild, bot }: Omit<GuildView, 'channels'>, nowMs: number): GuildRole[] {
  const roles = [...guild.roles.values()].filter(({ id }) => id !== guild.id).sort(byPosition);
  const isOwner = bot.userId === guild.ownerId;
  const highest = roles.find(({ id }) => bot.roleIds.includes(id));
  const isBelow = (role: Ranked) => isOwner || (highest !== undefined && byPosition(highest, role) < 0);
  const mayAssign = has(guildPermissions(guild, bot, nowMs), BITS.MANAGE_ROLES);
  return roles.map((role) => {
    const { id, name, color, position, managed } = role;
    return { id, name, color, position, managed, assignable: mayAssign && !managed && isBelow(role) };
  });
}

type Ranked = Pick<GuildRole, 'id' | 'position'>;

/**
 * The highest position first; at the same position, the older role.
 * @see https://docs.discord.com/developers/topics/permissions#permission-hierarchy
 */
function byPosition(a: Ranked, b: Ranked): number {
  if (a.position !== b.position) return b.position - a.position;
  return Number(BigInt(a.id) - BigInt(b.id));
}

export class EmojiService {
  readonly #views: GuildViews;

  constructor(views: GuildViews) {
    this.#views = views;
  }

  /**
   * Returns the custom emojis of a guild, which are part of Discord's guild object.
   * @throws ProblemError bot-absent, bot-token-missing, rate-limited, discord-unavailable
   */
  async list({ id, principal }: GuildAccess, known: KnownPresence): Promise<GuildEmoji[]> {
    const lookup = { id, person: personOf(principal) };
    const view = await this.#views.get(lookup, known).catch((error: unknown) => problemOfLookup(error, 'The emojis'));
    return view.guild.emojis;
  }
}
