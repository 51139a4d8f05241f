import type { GuildRole, Snowflake } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import { personOf } from '../auth/principal.ts';
import type { DiscordGuild } from './discord-guild.ts';
import { type GuildLookup, type KnownPresence, problemOfLookup } from './guild-lookups.ts';
import type { GuildViews } from './guild-views.ts';
import { listRoles } from './role-list.ts';

/** Lists the roles of guilds as Discord describes them to the bot. */
export class RoleService {
  readonly #views: GuildViews;

  constructor(views: GuildViews) {
    this.#views = views;
  }

  /**
   * Returns the roles without `@everyone`, the highest first.
   * @throws ProblemError bot-absent, bot-token-missing, rate-limited, discord-unavailable
   */
  async list({ id, principal }: ManagedGuild, known: KnownPresence): Promise<GuildRole[]> {
    return listRoles(await this.#guild({ id, person: personOf(principal) }, known));
  }

  /**
   * Returns the ids of the roles that exist, without `@everyone`.
   * @throws ProblemError bot-absent, bot-token-missing, rate-limited, discord-unavailable
   */
  async idsOf(lookup: GuildLookup, known: KnownPresence): Promise<ReadonlySet<Snowflake>> {
    const { id: everyoneId, roles } = await this.#guild(lookup, known);
    return new Set([...roles.keys()].filter((id) => id !== everyoneId));
  }

  async #guild(lookup: GuildLookup, known: KnownPresence): Promise<DiscordGuild> {
    const view = await this.#views.get(lookup, known).catch((error: unknown) => problemOfLookup(error, 'The roles'));
    return view.guild;
  }
}
