import { ProblemError } from '@guild-settings/contract';

/** Streams that one person may have open. */
const STREAMS_PER_PERSON = 5;

/** Streams that the application may have open: one for each page that it shows. */
const STREAMS_OF_APPLICATION = 1_000;

/** Counts the open streams of each caller. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /**
   * Counts a stream of a caller.
   * @param userId undefined: the application
   * @returns a function to be called when it has ended
   * @throws ProblemError too-many-streams
   */
  open(userId: string | undefined): () => void {
    const key = userId ?? '';
    const count = this.#open.get(key) ?? 0;
    if (count >= (userId === undefined ? STREAMS_OF_APPLICATION : STREAMS_PER_PERSON))
      throw new ProblemError('too-many-streams', { retryAfter: 60 });
    this.#open.set(key, count + 1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#close(key);
      isOpen = false;
    };
  }

  #close(key: string): void {
    const count = (this.#open.get(key) ?? 0) - 1;
    if (count > 0) this.#open.set(key, count);
    else this.#open.delete(key);
  }
}
