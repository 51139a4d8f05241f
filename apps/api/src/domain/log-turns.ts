import type { GuildId } from '@guild-settings/contract';

/** Milliseconds of one iteration of the event loop in which further queries may begin, and that one query may take. */
const BUDGET_MS = 5;

/** Bounds of the lines that one query reads: an embedded store blocks the event loop, and a line can have 130 KiB. */
const LINES = { min: 4, first: 16, max: 512 };

/**
 * Shares the event loop between walks through the change log. Each walk yields between two queries, but a hundred walks
 * would run a hundred queries per iteration. Here queries begin during some milliseconds of an iteration, at least one
 * in each, and round-robin by guild, so that the walks of one guild do not delay those of others.
 */
export class LogTurns {
  /** The waiting walks by guild, in the order of their turns. */
  readonly #waiting = new Map<GuildId, (() => void)[]>();
  /** The start of the first query of this iteration, by the monotonic clock; undefined: none yet. */
  #beganAtMs: number | undefined;
  #lines = LINES.first;

  /** Maximum lines of the next query, adapted to the duration of the last ones. */
  get lines(): number {
    return this.#lines;
  }

  /** Adapts {@link lines} to a query: the number of lines that it has read, and its duration. */
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
      // The query of an embedded store is complete when the next microtask runs.
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
