import type { Snowflake } from '@guild-settings/contract';
import type { Store } from '../store/store.ts';

/** Erases people from the change log. */
export class PersonService {
  readonly #store: Pick<Store, 'forget' | 'finishErasures'>;
  readonly #nowMs: () => number;
  readonly #onError: (error: unknown) => void;

  /**
   * @param nowMs returns milliseconds since 1970
   * @param onError called when the work was interrupted; it continues at the next request, or within the hour
   */
  constructor(store: Pick<Store, 'forget' | 'finishErasures'>, nowMs: () => number, onError: (error: unknown) => void) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#onError = onError;
  }

  /**
   * Erases a person's id from all changes until now. The changes stay. Resolves when the request is recorded; the work is done
   * in the background, in slices, and survives a restart.
   */
  async forget(id: Snowflake): Promise<void> {
    await this.#store.forget(id, this.#nowMs());
    this.#store.finishErasures('person').catch(this.#onError);
  }
}
