import type { Snowflake } from 'discord-api-types/v10';

const SNOWFLAKE = /^[0-9]{17,20}$/;

/**
 * Hands back `id` when it is written as Discord writes ids, so that a fixture cannot invent another kind.
 *
 * @throws {TypeError} for anything but 17 to 20 ASCII digits
 * @see https://discord.com/developers/docs/reference#snowflakes
 */
export function snowflake(id: string): Snowflake {
  if (!SNOWFLAKE.test(id))
    throw new TypeError(`Expected a snowflake of 17 to 20 digits, received ${JSON.stringify(id)}`);
  return id;
}

/** Orders ids by age. They do not fit in a double, so they are compared as bigint. */
export function byAge(a: Snowflake, b: Snowflake): number {
  const [left, right] = [BigInt(a), BigInt(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
