import type { GuildId } from '@guild-settings/contract';

/** Time of one iteration of the event loop in which further queries begin, and that one of them may take; in milliseconds. */
const BUDGET_MS = 5;

/** Bounds of the lines that one query reads: an embedded store blocks the event loop, and a line can have 130 KiB. */
const LINES = { min: 4, first: 16, max: 512 };

/**
 * Divides an event loop between walks through the change log. Each walk leaves it between two queries, but a hundred walks would take a
 * hundred queries in each iteration. Here queries begin for some milliseconds of an iteration, at least one in each: of each guild in
 * turn, so that the walks of one guild do not hold up those of others.
 */
export class LogTurns {
  /** The walks that wait, by guild: the guild whose turn is next first. */
  readonly #waiting = new Map<GuildId, (() => void)[]>();
  /** The start of the first query of this iteration, by the monotonic clock; undefined: there is none. */
  #beganAtMs: number | undefined;
  #lines = LINES.first;

  /** Lines that the next query should read at most: it adapts to the time that the last ones have taken. */
  get lines(): number {
    return this.#lines;
  }

  /** Adapts {@link lines} to a query: how many it has read, and how long it took. */
  noteQuery({ lines, ms }: { readonly lines: number; readonly ms: number }): void {
    if (ms > BUDGET_MS) this.#lines = Math.max(LINES.min, Math.ceil(lines / 2));
    else if (lines >= this.#lines) this.#lines = Math.min(LINES.max, this.#lines * 2);
  }

  take(guildId: GuildId): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.#beganAtMs === undefined) this.#begin(nowMs);
    else if (this.#waiting.size > 0 || nowMs - this.#beganAtMs >= BUDGET_MS) {
      return new Promise((resolve) => {
        const waiting = this.#waiting.get(guildId);
        if (waiting) waiting.push(resolve);
        else this.#waiting.set(guildId, [resolve]);
      });
    }
    return undefined;
  }

  #begin(nowMs: number): void {
    this.#beganAtMs = nowMs;
    setImmediate(() => void this.#next());
  }

  async #next(): Promise<void> {
    this.#beganAtMs = undefined;
    if (this.#waiting.size === 0) return;
    const beganAtMs = performance.now();
    this.#begin(beganAtMs);
    do {
      this.#continueOne();
      // An embedded store has read when the next microtask runs.
      await undefined;
    } while (this.#waiting.size > 0 && performance.now() - beganAtMs < BUDGET_MS);
  }

  #continueOne(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [guildId, [resolve, ...others]] = next;
    this.#waiting.delete(guildId);
    if (others.length > 0) this.#waiting.set(guildId, others);
    resolve?.();
  }
}
