import { ProblemError } from '@guild-settings/contract';

/** Streams that one person may have open. */
const STREAMS_PER_PERSON = 5;

/** Streams that the application may have open: one for each page that it shows. */
const STREAMS_OF_APPLICATION = 1_000;

/** Counts the open streams of each caller; undefined: the application. */
export interface StreamCounts {
  /** Counts a stream unless the caller has the most that it may have. Returns whether it was counted. */
  open(userId: string | undefined): boolean | Promise<boolean>;
  /** Counts it no longer. */
  close(userId: string | undefined): void;
}

/** The open streams that this process counts. */
export class OpenStreams implements StreamCounts {
  readonly #open = new Map<string, number>();

  open(userId: string | undefined): boolean {
    const key = userId ?? '';
    const count = this.#open.get(key) ?? 0;
    if (count >= (userId === undefined ? STREAMS_OF_APPLICATION : STREAMS_PER_PERSON)) return false;
    this.#open.set(key, count + 1);
    return true;
  }

  close(userId: string | undefined): void {
    const key = userId ?? '';
    const count = (this.#open.get(key) ?? 0) - 1;
    if (count > 0) this.#open.set(key, count);
    else this.#open.delete(key);
  }
}

/**
 * Counts a stream of a caller.
 * @param userId undefined: the application
 * @returns a function to be called when it has ended
 * @throws ProblemError too-many-streams
 */
export async function countStream(streams: StreamCounts, userId: string | undefined): Promise<() => void> {
  if (!(await streams.open(userId))) throw new ProblemError('too-many-streams', { retryAfter: 60 });
  let isOpen = true;
  return () => {
    if (isOpen) streams.close(userId);
    isOpen = false;
  };
}
