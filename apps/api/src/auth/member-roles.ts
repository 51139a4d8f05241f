import { type GuildId, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { DiscordUnavailableError } from './discord-api.ts';
import type { UserPrincipal } from './principal.ts';
import { MEMBER_SCOPE, type TokenCheck } from './token-check.ts';

const MAX_MEMBERS = 20_000;

const SHORTEST_MS = 1_000;

export interface CheckedPerson {
  readonly principal: UserPrincipal;
  readonly scope: string;
  /**
   * Roles requested before this monotonic time in milliseconds are too old: a refusal based on them is checked again.
   */
  readonly newerThanMs: number;
  readonly token: () => string;
  readonly clientIp: () => string;
}

export interface KnownRoles {
  readonly ids: readonly Snowflake[];
  readonly untilMs: number;
}

interface RequestedRoles {
  readonly ids: readonly Snowflake[];
  readonly atMs: number;
}

interface MemberRolesOptions {
  readonly ofToken: TokenCheck['rolesOf'];
  /** Returns the roles of a member, read with the bot's token; undefined: the service has no bot token. */
  readonly ofBot: ((id: GuildId, userId: Snowflake) => Promise<readonly Snowflake[]>) | undefined;
  readonly monotonicMs: () => number;
  readonly cacheTtlMs: number;
  /** Time for which expired roles are still used for reads if they cannot be requested. */
  readonly staleGraceMs: number;
}

/** Reads the roles of people in guilds: with their own token if it has the scope, otherwise with the bot's. */
export class MemberRoles {
  readonly #options: MemberRolesOptions;
  readonly #known = new LRUCache<string, RequestedRoles>({ max: MAX_MEMBERS });
  readonly #pending = new Map<string, { readonly roles: Promise<RequestedRoles>; readonly atMs: number }>();

  constructor(options: MemberRolesOptions) {
    this.#options = options;
  }

  areKnown(scope: string): boolean {
    return this.#options.ofBot !== undefined || hasScope(scope);
  }

  has(person: CheckedPerson, id: GuildId): boolean {
    return this.#fresh(person, id) !== undefined;
  }

  /**
   * Returns a person's roles in a guild; empty if they cannot be read, or the person is not a member.
   * @param options.allowStale true: accepts expired roles if they cannot be requested; for reads only
   * @throws ProblemError invalid-token, rate-limited, discord-unavailable
   */
  async of(person: CheckedPerson, id: GuildId, { allowStale }: { readonly allowStale: boolean }): Promise<KnownRoles> {
    const { cacheTtlMs, staleGraceMs, monotonicMs } = this.#options;
    if (!this.areKnown(person.scope)) return { ids: [], untilMs: Number.POSITIVE_INFINITY };
    try {
      const { ids, atMs } = this.#fresh(person, id) ?? (await this.#requestOnce(person, id));
      return { ids, untilMs: atMs + Math.max(cacheTtlMs, SHORTEST_MS) };
    } catch (error) {
      const old = allowStale ? this.#known.get(keyOf(person, id)) : undefined;
      if (old === undefined || monotonicMs() >= old.atMs + cacheTtlMs + staleGraceMs) throw unreadable(error);
      return { ids: old.ids, untilMs: old.atMs + cacheTtlMs };
    }
  }

  #fresh(person: CheckedPerson, id: GuildId): RequestedRoles | undefined {
    const known = this.#known.get(keyOf(person, id));
    const oldestMs = Math.max(person.newerThanMs, this.#options.monotonicMs() - this.#options.cacheTtlMs + 1);
    return known !== undefined && known.atMs >= oldestMs ? known : undefined;
  }

  /** Requests roles, or joins a pending request that began late enough. */
  #requestOnce(person: CheckedPerson, id: GuildId): Promise<RequestedRoles> {
    const key = keyOf(person, id);
    const pending = this.#pending.get(key);
    if (pending !== undefined && pending.atMs >= person.newerThanMs) return pending.roles;
    const atMs = this.#options.monotonicMs();
    const request = async () => {
      const requested = { ids: await this.#request(person, id), atMs };
      // An earlier request may finish after this one.
      if ((this.#known.get(key)?.atMs ?? Number.NEGATIVE_INFINITY) <= atMs) this.#known.set(key, requested);
      return requested;
    };
    const started = { roles: request(), atMs };
    this.#pending.set(key, started);
    const end = () => {
      if (this.#pending.get(key) === started) this.#pending.delete(key);
    };
    started.roles.then(end, end);
    return started.roles;
  }

  async #request({ principal, scope, token, clientIp }: CheckedPerson, id: GuildId): Promise<readonly Snowflake[]> {
    const { ofToken, ofBot } = this.#options;
    if (hasScope(scope)) return ofToken(token(), clientIp(), id);
    return ofBot === undefined ? [] : ofBot(id, principal.userId);
  }
}

function keyOf({ principal }: CheckedPerson, id: GuildId): string {
  return `${id} ${principal.userId}`;
}

/** Seconds after which a client may retry if the bot's token cannot read the roles. */
const REJECTED_RETRY_AFTER = 60;

/** Returns the problem for a person whose roles decide and cannot be read. Not a refusal: they may have the role. */
function unreadable(error: unknown): unknown {
  if (error instanceof DiscordUnavailableError)
    return new ProblemError('discord-unavailable', { retryAfter: error.retryAfter, cause: error });
  if (!(error instanceof ProblemError && error.slug === 'bot-token-missing')) return error;
  return new ProblemError('discord-unavailable', {
    detail: `Your roles could not be read. ${error.message}`,
    retryAfter: REJECTED_RETRY_AFTER,
    cause: error,
  });
}

function hasScope(scope: string): boolean {
  return scope.split(' ').includes(MEMBER_SCOPE);
}
