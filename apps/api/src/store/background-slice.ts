import { setTimeout } from 'node:timers/promises';

/** Milliseconds that one slice of background work keeps the event loop of an embedded store. */
const SLICE_MS = 8;

/**
 * Repeats a small step until it reports that nothing is left, or the time of a slice is used up.
 * @param step does a bounded piece of work; returns whether work is left
 * @returns whether work is left
 */
export function repeatForSlice(step: () => boolean): boolean {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    if (!step()) return false;
    if (performance.now() >= end) return true;
  }
}

/** The longest pause between two slices, in milliseconds. */
const MAX_PAUSE_MS = 25;

/** Rows of one slice of background work on a server: as many as take some milliseconds there. */
export class SliceSize {
  #rows = 200;

  get rows(): number {
    return this.#rows;
  }

  /** Adapts the number of rows to what the last slice took. */
  took(durationMs: number): void {
    if (durationMs > 25) this.#rows = Math.max(50, Math.floor(this.#rows / 2));
    else if (durationMs < 12) this.#rows = Math.min(2_000, this.#rows * 2);
  }
}

/**
 * Runs slices of background work until nothing is left. Between two slices requests have as much time as the last slice
 * took, within bounds.
 * @param slice returns whether work is left
 */
export async function runSlices(slice: () => boolean | Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    if (!(await slice()) || signal?.aborted) return;
    const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(1, performance.now() - startedAt));
    await setTimeout(pauseMs, undefined, signal && { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
    if (signal?.aborted) return;
  }
}
