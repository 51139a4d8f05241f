import type { Snowflake } from 'discord-api-types/v10';

const SNOWFLAKE = /^[0-9]{17,20}$/;

/**
 * Returns `id` if it is a valid snowflake.
 *
 * @throws {TypeError} for anything but 17 to 20 ASCII digits
 * @see https://discord.com/developers/docs/reference#snowflakes
 */
export function snowflake(id: string): Snowflake {
  if (!SNOWFLAKE.test(id))
    throw new TypeError(`Expected a snowflake of 17 to 20 digits, received ${JSON.stringify(id)}`);
  return id;
}

/** Compares ids by age, as bigint: they do not fit in a double. */
export function byAge(a: Snowflake, b: Snowflake): number {
  const [left, right] = [BigInt(a), BigInt(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
