export interface CooldownOptions {
  /** Uses that are allowed at once. */
  readonly burst: number;
  /** Time until another use is allowed after the burst, in milliseconds. */
  readonly intervalMs: number;
  /** Returns milliseconds that never decrease; `performance.now` by default. */
  readonly clock?: () => number;
  /** Number of buckets; 20,000 by default. The least recently used one is deleted first. */
  readonly maxKeys?: number;
}

export type Admission =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false;
      /** True: this is the first refusal since the last allowed use. */
      readonly isFirst: boolean;
      /** Time until the next use is allowed, in milliseconds. */
      readonly waitMs: number;
    };

/** Five uses at once, then one every three seconds. */
export const DEFAULT_COOLDOWN: CooldownOptions = { burst: 5, intervalMs: 3_000 };

interface Bucket {
  fullAt: number;
  wasRefused: boolean;
}

const ALLOWED: Admission = { isAllowed: true };

/**
 * A token bucket for each user and command in a guild, stored as the time at which it is full again.
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export class Cooldown {
  readonly #options: Required<CooldownOptions>;
  readonly #uses = new Map<string, Bucket>();

  constructor({ clock = () => performance.now(), maxKeys = 20_000, ...options }: CooldownOptions) {
    this.#options = { clock, maxKeys, ...options };
  }

  use({ guildId, userId }: { readonly guildId: string; readonly userId: string }, command: string): Admission {
    const { burst, intervalMs, clock, maxKeys } = this.#options;
    const key = `${guildId} ${userId} ${command}`;
    const now = clock();
    const use = this.#uses.get(key) ?? { fullAt: now, wasRefused: false };
    // A Map iterates in order of insertion: the least recently used bucket comes first.
    this.#uses.delete(key);
    this.#uses.set(key, use);
    const [oldest] = this.#uses.keys();
    if (this.#uses.size > maxKeys && oldest !== undefined) this.#uses.delete(oldest);

    const fullAt = Math.max(use.fullAt, now);
    const waitMs = fullAt - now - (burst - 1) * intervalMs;
    if (waitMs > 0) {
      const isFirst = !use.wasRefused;
      use.wasRefused = true;
      return { isAllowed: false, isFirst, waitMs };
    }
    use.fullAt = fullAt + intervalMs;
    use.wasRefused = false;
    return ALLOWED;
  }
}
