import type { GuildRole } from '@guild-settings/contract';
import type { GuildAccess } from '../auth/guild-access.ts';
import { personOf } from '../auth/principal.ts';
import type { Clock } from '../clock.ts';
import { type KnownPresence, problemOfLookup } from './guild-lookups.ts';
import type { GuildViews } from './guild-views.ts';
import { listRoles } from './role-list.ts';

export class RoleService {
  readonly #views: GuildViews;
  readonly #clock: Clock;

  constructor(views: GuildViews, clock: Clock) {
    this.#views = views;
    this.#clock = clock;
  }

  /**
   * Returns the roles without `@everyone`, the highest first, and whether the bot can give them to members.
   * @throws ProblemError bot-absent, bot-token-missing, rate-limited, discord-unavailable
   */
  async list({ id, principal }: GuildAccess, known: KnownPresence): Promise<GuildRole[]> {
    const lookup = { id, person: personOf(principal) };
    const view = await this.#views.get(lookup, known).catch((error: unknown) => problemOfLookup(error, 'The roles'));
    return listRoles(view, this.#clock.nowMs());
  }
}
