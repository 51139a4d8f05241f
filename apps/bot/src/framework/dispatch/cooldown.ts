/** How often one person may use one command in one guild. */
export interface CooldownOptions {
  /** Uses that are possible at once. */
  readonly burst: number;
  /** Milliseconds until another use is possible after the burst. */
  readonly intervalMs: number;
  /** Milliseconds that only grow; `performance.now` unless given. */
  readonly clock?: () => number;
  /** The most people and commands that are remembered; 20,000 unless given. The one unused for longest is forgotten first. */
  readonly maxKeys?: number;
}

/** Whether a use is within the limit. */
export type Admission =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false;
      /** Whether this is the first refusal since the last use that was allowed. */
      readonly isFirst: boolean;
      /** Milliseconds until the next use is possible. */
      readonly waitMs: number;
    };

/** Five uses at once, then one every three seconds: far above what a person needs, far below what slows the bot down. */
export const DEFAULT_COOLDOWN: CooldownOptions = { burst: 5, intervalMs: 3_000 };

interface Use {
  /** When the bucket is full again. */
  fullAt: number;
  wasRefused: boolean;
}

const ALLOWED: Admission = { isAllowed: true };

/**
 * A token bucket for each person and command in a guild, kept as the moment at which it is full again.
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export class Cooldown {
  readonly #options: Required<CooldownOptions>;
  readonly #uses = new Map<string, Use>();

  constructor({ clock = () => performance.now(), maxKeys = 20_000, ...options }: CooldownOptions) {
    this.#options = { clock, maxKeys, ...options };
  }

  /** Counts a use of a command by a person in a guild. */
  use({ guildId, userId }: { readonly guildId: string; readonly userId: string }, command: string): Admission {
    const { burst, intervalMs, clock, maxKeys } = this.#options;
    const key = `${guildId} ${userId} ${command}`;
    const now = clock();
    const use = this.#uses.get(key) ?? { fullAt: now, wasRefused: false };
    // Deleted first, so that what is in use is the newest.
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
