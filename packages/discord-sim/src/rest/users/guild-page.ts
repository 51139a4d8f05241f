import type { Snowflake } from 'discord-api-types/v10';
import { z } from 'zod';
import type { Membership } from '../../world/entities.ts';
import { byAge } from '../../world/snowflake.ts';
import { flagText, id, integerText, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';

const MAX_LIMIT = 200;

const pageQuery = z.object({
  before: optional(id),
  after: optional(id),
  limit: optional(integerText({ min: 1, max: MAX_LIMIT })),
  with_counts: optional(flagText),
});

/** The requested part of the guild list. */
export interface GuildPage {
  readonly before: Snowflake | undefined;
  readonly after: Snowflake | undefined;
  /** 1 to 200. */
  readonly limit: number;
  /** Whether the numbers of members are wanted. */
  readonly withCounts: boolean;
}

/**
 * Reads the parameters of a query.
 *
 * @throws {RestRefusal} 400 naming the parameters that are malformed or out of bounds
 * @see https://discord.com/developers/docs/resources/user#get-current-user-guilds
 */
export function guildPage(query: unknown): GuildPage {
  const { before, after, limit = MAX_LIMIT, with_counts: withCounts = false } = readForm(pageQuery, query);
  return { before, after, limit, withCounts };
}

/** Returns a page of a list sorted by age: the first ones after `after`, or the last ones before `before`. */
export function pageOf(memberships: readonly Membership[], { before, after, limit }: GuildPage): Membership[] {
  const between = memberships.filter(
    ({ guild }) =>
      (before === undefined || byAge(guild.id, before) < 0) && (after === undefined || byAge(guild.id, after) > 0),
  );
  return before !== undefined && after === undefined ? between.slice(-limit) : between.slice(0, limit);
}
