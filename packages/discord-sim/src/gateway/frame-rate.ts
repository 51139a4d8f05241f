import type { Clock } from '../clock.ts';

const LIMIT = 120;
const WINDOW_MS = 60_000;

/**
 * Counts the frames of one connection: 120 each minute, heartbeats included.
 *
 * @see https://discord.com/developers/docs/events/gateway#rate-limiting
 */
export class FrameRate {
  readonly #clock: Clock;
  #windowEndsAt: number;
  #received = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowEndsAt = clock() + WINDOW_MS;
  }

  /** Counts a frame. Returns false when it exceeds the limit. */
  count(): boolean {
    if (this.#clock() >= this.#windowEndsAt) {
      this.#windowEndsAt = this.#clock() + WINDOW_MS;
      this.#received = 0;
    }
    this.#received += 1;
    return this.#received <= LIMIT;
  }
}
