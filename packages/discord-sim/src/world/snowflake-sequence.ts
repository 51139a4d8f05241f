import type { Snowflake } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';

const DISCORD_EPOCH = 1_420_070_400_000;
/** Ids have 17 digits at least. */
const SMALLEST = 10n ** 16n;

/**
 * Creates ids with their time, which always grow, even while the clock stands still or jumps back.
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
