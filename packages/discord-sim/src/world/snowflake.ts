import { randomInt } from 'node:crypto';
import type { Snowflake } from 'discord-api-types/v10';

/** Returns milliseconds since the Unix epoch. Tests pass their own. */
export type Clock = () => number;

const SNOWFLAKE = /^[0-9]{17,20}$/;

/**
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

const DISCORD_EPOCH = 1_420_070_400_000;
const SMALLEST = 10n ** 16n;

/**
 * Creates ids with their time, which always increase, even while the clock stands still or jumps back.
 *
 * @see https://discord.com/developers/docs/reference#snowflakes
 */
export class SnowflakeSequence {
  readonly #clock: Clock;
  #last = SMALLEST;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  next(): Snowflake {
    const now = BigInt(Math.max(0, Math.trunc(this.#clock()) - DISCORD_EPOCH)) << 22n;
    this.#last = now > this.#last ? now : this.#last + 1n;
    return this.#last.toString();
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns 30 random letters and digits, like Discord's OAuth2 tokens. */
export function randomToken(): string {
  return Array.from({ length: 30 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
