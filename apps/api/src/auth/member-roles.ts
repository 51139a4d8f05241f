import { type GuildId, ProblemError, type Snowflake } from '@guild-settings/contract';
import { LRUCache } from 'lru-cache';
import { DiscordUnavailableError } from './discord-errors.ts';
import type { UserPrincipal } from './principal.ts';
import { MEMBER_SCOPE, type TokenCheck } from './token-check.ts';

/** Members whose roles are kept. */
const MAX_MEMBERS = 20_000;

/** A person whose roles are wanted. */
export interface CheckedPerson {
  readonly principal: UserPrincipal;
  /** The scopes of their token, separated by spaces. */
  readonly scope: string;
  /** When the check of the token began, in monotonic milliseconds. */
  readonly checkedAtMs: number;
  readonly token: () => string;
  readonly clientIp: () => string;
}

/** The roles of a member, and when they were requested, in monotonic milliseconds. */
interface RolesAt {
  readonly roles: Promise<readonly Snowflake[]>;
  readonly atMs: number;
}

interface MemberRolesOptions {
  readonly ofToken: TokenCheck['rolesOf'];
  /** Returns the roles of a member, with the bot's token; undefined: the service has none. */
  readonly ofBot: ((id: GuildId, userId: Snowflake) => Promise<readonly Snowflake[]>) | undefined;
  readonly monotonicMs: () => number;
}

/**
 * Knows the roles of people in guilds: by a scope of their tokens, else by the bot's token. Roles are never older than the check of
 * the token with which they are used, so that they hold as long as it does.
 */
export class MemberRoles {
  readonly #options: MemberRolesOptions;
  readonly #members = new LRUCache<string, RolesAt>({ max: MAX_MEMBERS });

  constructor(options: MemberRolesOptions) {
    this.#options = options;
  }

  /** Returns whether roles can be read for tokens with these scopes. */
  areKnown(scope: string): boolean {
    return this.#options.ofBot !== undefined || hasScope(scope);
  }

  /**
   * Returns the ids of a person's roles in a guild; none where they cannot be read, or the person is no member.
   * @throws ProblemError invalid-token, rate-limited, discord-unavailable
   */
  async of(person: CheckedPerson, id: GuildId): Promise<readonly Snowflake[]> {
    const key = `${id} ${person.principal.userId}`;
    const known = this.#members.get(key);
    if (known !== undefined && known.atMs >= person.checkedAtMs) return known.roles;
    const roles = this.#request(person, id);
    const requested = { roles, atMs: this.#options.monotonicMs() };
    this.#members.set(key, requested);
    roles.catch(() => {
      if (this.#members.get(key) === requested) this.#members.delete(key);
    });
    return roles;
  }

  /** Returns whether the roles of a person are known without a request. */
  has({ principal, checkedAtMs }: CheckedPerson, id: GuildId): boolean {
    return (this.#members.peek(`${id} ${principal.userId}`)?.atMs ?? Number.NEGATIVE_INFINITY) >= checkedAtMs;
  }

  async #request({ principal, scope, token, clientIp }: CheckedPerson, id: GuildId): Promise<readonly Snowflake[]> {
    const { ofToken, ofBot } = this.#options;
    try {
      if (hasScope(scope)) return await ofToken(token(), clientIp(), id);
      return ofBot === undefined ? [] : await ofBot(id, principal.userId);
    } catch (error) {
      throw unreadable(error);
    }
  }
}

/** Time after which a request is worth repeating whose roles the bot's token does not read, in seconds. */
const REJECTED_RETRY_AFTER = 60;

/** Returns the problem of a person whose roles decide and cannot be read. It is no refusal: they may have the role. */
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
