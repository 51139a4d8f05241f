import { LIMITS, ProblemError } from '@guild-settings/contract';
import { InProgress } from '../../domain/in-progress.ts';

const MEGABYTE = 1_024 * 1_024;

/** Bytes of the bodies of one person that are in progress, and of all. */
const MAX_BYTES_OF_PERSON = 8 * MEGABYTE;
const MAX_BYTES = 64 * MEGABYTE;

const TOO_MANY = 'Too many imports are in progress. Wait for their responses, and send this one again.';

/**
 * Bounds the large bodies that are held in memory, from before they are read until their response: at any time four and eight
 * megabytes of a person, and 64 megabytes in all.
 */
export class LargeBodies {
  readonly #bodies = new InProgress({ perPerson: 4, ofApplication: 16, refusal: tooMany });
  readonly #bytesOf = new Map<string | undefined, number>();
  #bytes = 0;
  #turns = Promise.resolve();

  /**
   * Counts a body that is about to be read.
   * @param userId undefined: the application
   * @param length the value of Content-Length; undefined: it is not known how long the body is
   * @returns a function to be called after the response
   * @throws ProblemError rate-limited
   */
  begin(userId: string | undefined, length: string | undefined): () => void {
    const bytes = Math.min(Number(length ?? LIMITS.importBytes), LIMITS.importBytes);
    const ofPerson = (this.#bytesOf.get(userId) ?? 0) + bytes;
    const isTooMuch = userId !== undefined && ofPerson > MAX_BYTES_OF_PERSON;
    if (isTooMuch || this.#bytes + bytes > MAX_BYTES) throw tooMany();
    const end = this.#bodies.begin(userId);
    this.#count(userId, bytes);
    return () => {
      end();
      this.#count(userId, -bytes);
    };
  }

  /** Resolves when a body may be parsed and used: one in each turn of the event loop, so that other requests have theirs. */
  turn(): Promise<void> {
    this.#turns = this.#turns.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#turns;
  }

  #count(userId: string | undefined, bytes: number): void {
    this.#bytes += bytes;
    const ofPerson = (this.#bytesOf.get(userId) ?? 0) + bytes;
    if (ofPerson > 0) this.#bytesOf.set(userId, ofPerson);
    else this.#bytesOf.delete(userId);
  }
}

function tooMany(): ProblemError {
  return new ProblemError('rate-limited', { retryAfter: 1, detail: TOO_MANY });
}
