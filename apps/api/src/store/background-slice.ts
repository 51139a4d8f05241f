import { setTimeout } from 'node:timers/promises';

/**
 * Time after which a slice of background work on an embedded store ends. Its commit blocks the event loop for about as
 * long again, so a request that meets a slice is hardly delayed.
 */
const SLICE_MS = 1;

/**
 * Repeats a step until no work is left, or the time of a slice is used up.
 * @param step does a limited amount of work; returns true if work is left
 * @returns true if work is left
 */
export function repeatForSlice(step: () => boolean): boolean {
  const end = performance.now() + SLICE_MS;
  for (;;) {
    if (!step()) return false;
    if (performance.now() >= end) return true;
  }
}

const MAX_PAUSE_MS = 25;

/** Adaptive number of rows per slice of background work on a server, where a slice takes some milliseconds. */
export class SliceSize {
  #rows = 200;

  get rows(): number {
    return this.#rows;
  }

  record(durationMs: number): void {
    if (durationMs > 25) this.#rows = Math.max(50, Math.floor(this.#rows / 2));
    else if (durationMs < 12) this.#rows = Math.min(2_000, this.#rows * 2);
  }
}

/**
 * Runs slices of background work until no work is left. The pause after a slice, for requests, is as long as the slice,
 * within bounds.
 * @param slice returns true if work is left
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
