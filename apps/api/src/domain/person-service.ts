import { ProblemError, type Snowflake } from '@guild-settings/contract';
import type { ErasureStore, SessionStore } from '../store/store.ts';

const INTERVAL_MS = 86_400_000;

export class PersonService {
  readonly #store: Pick<ErasureStore & SessionStore, 'forget' | 'finishErasures' | 'endSessionsOf'>;
  readonly #nowMs: () => number;
  readonly #onError: (error: unknown) => void;

  /**
   * @param nowMs returns milliseconds since 1970
   * @param onError called when the work was interrupted; it resumes at the next request, or within the hour
   */
  constructor(
    store: Pick<ErasureStore & SessionStore, 'forget' | 'finishErasures' | 'endSessionsOf'>,
    nowMs: () => number,
    onError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#onError = onError;
  }

  /**
   * Erases a person's id from all changes made until now and ends their sessions. The changes stay. Resolves when the
   * request is recorded; the work runs in the background, in slices, and survives a restart. Writes nothing for a
   * person without changes.
   * @throws ProblemError rate-limited when the person has changes since an erasure within the last 24 hours
   */
  async forget(id: Snowflake): Promise<void> {
    const nowMs = this.#nowMs();
    await this.#store.endSessionsOf(id);
    const isRecorded = await this.#store.forget(id, nowMs, (lastAt) => requireInterval(lastAt, nowMs));
    if (isRecorded) this.#store.finishErasures('person').catch(this.#onError);
  }
}

/** Refuses an erasure within the interval after the last one, even if the clock was set back since. */
function requireInterval(lastAt: number, nowMs: number): void {
  if (Math.abs(nowMs - lastAt) >= INTERVAL_MS) return;
  throw new ProblemError('rate-limited', {
    detail: 'Your id was erased from the history less than 24 hours ago. Retry after the seconds in Retry-After.',
    retryAfter: Math.ceil(Math.min(lastAt + INTERVAL_MS - nowMs, INTERVAL_MS) / 1_000),
  });
}
