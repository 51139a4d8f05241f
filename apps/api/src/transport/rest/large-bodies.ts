import { LIMITS, ProblemError } from '@guild-settings/contract';
import { InProgress } from '../../auth/limits.ts';
import { createTurns } from '../../clock.ts';

const MEGABYTE = 1_024 * 1_024;

const TOO_MANY = 'Too many imports are in progress. Wait for their responses, and send this one again.';

/**
 * Bounds the large bodies that are held in memory, from before they are read until their response: at any time four and eight
 * megabytes of a person, and 64 megabytes in all.
 */
export class LargeBodies {
  readonly #bodies = new InProgress({ perPerson: 4, ofApplication: 16, refusal: tooMany });
  readonly #bytes = new InProgress({ perPerson: 8 * MEGABYTE, ofAll: 64 * MEGABYTE, refusal: tooMany });

  /**
   * Counts a body that is about to be read.
   * @param userId undefined: the application
   * @param length the value of Content-Length; undefined: it is not known how long the body is
   * @returns a function to be called after the response
   * @throws ProblemError rate-limited
   */
  begin(userId: string | undefined, length: string | undefined): () => void {
    const bytes = Math.min(Number(length ?? LIMITS.importBytes), LIMITS.importBytes);
    const endBytes = this.#bytes.begin(userId, bytes);
    try {
      const end = this.#bodies.begin(userId);
      return () => {
        end();
        endBytes();
      };
    } catch (error) {
      endBytes();
      throw error;
    }
  }

  /** Resolves when a body may be parsed and used. */
  readonly turn = createTurns();
}

function tooMany(): ProblemError {
  return new ProblemError('rate-limited', { retryAfter: 1, detail: TOO_MANY });
}
