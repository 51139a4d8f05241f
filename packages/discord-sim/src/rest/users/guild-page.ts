import type { Snowflake } from 'discord-api-types/v10';
import type { Membership } from '../../world/entities.ts';
import { byAge } from '../../world/snowflake.ts';
import { invalidField } from '../error-body.ts';

const MAX_LIMIT = 200;

/** The requested part of the guild list. */
export interface GuildPage {
  readonly before: Snowflake | null;
  readonly after: Snowflake | null;
  /** 1 to 200. */
  readonly limit: number;
}

/**
 * Reads the paging parameters of a query.
 *
 * @throws {RestRefusal} 400 naming the parameter that is out of bounds
 * @see https://discord.com/developers/docs/resources/user#get-current-user-guilds
 */
export function guildPage(query: Readonly<Record<string, unknown>>): GuildPage {
  return { before: boundary(query, 'before'), after: boundary(query, 'after'), limit: limitOf(query.limit) };
}

/** Returns a page of a list sorted by age: the first ones after `after`, or the last ones before `before`. */
export function pageOf(memberships: readonly Membership[], { before, after, limit }: GuildPage): Membership[] {
  const between = memberships.filter(
    ({ guild }) => (before === null || byAge(guild.id, before) < 0) && (after === null || byAge(guild.id, after) > 0),
  );
  return before !== null && after === null ? between.slice(-limit) : between.slice(0, limit);
}

function boundary(query: Readonly<Record<string, unknown>>, name: 'before' | 'after'): Snowflake | null {
  const value = query[name];
  if (value === undefined) return null;
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return value;
  throw invalidField(name, 'NUMBER_TYPE_COERCE', `Value ${JSON.stringify(value)} is not snowflake.`);
}

function limitOf(value: unknown): number {
  if (value === undefined) return MAX_LIMIT;
  if (typeof value !== 'string' || !/^-?[0-9]+$/.test(value)) {
    throw invalidField('limit', 'NUMBER_TYPE_COERCE', `Value ${JSON.stringify(value)} is not int.`);
  }
  const limit = Number(value);
  if (limit < 1) throw invalidField('limit', 'NUMBER_TYPE_MIN', 'int value should be greater than or equal to 1.');
  if (limit > MAX_LIMIT) {
    throw invalidField('limit', 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${MAX_LIMIT}.`);
  }
  return limit;
}
