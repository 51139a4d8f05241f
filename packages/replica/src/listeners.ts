import { notify } from './notify.ts';

/** Functions of the bot that are called for something that happens. They may be async, and throw. */
export class Listeners<Args extends readonly unknown[]> {
  /** An entry for each call of `add`: the same function may be added twice. */
  readonly #entries = new Set<{ readonly listener: (...args: Args) => unknown }>();
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(onError: ((error: unknown) => void) | undefined) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns a function that removes the listener. A listener that is added by another one is called from the next time on. */
  add(listener: (...args: Args) => unknown): () => void {
    const entry = { listener };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  call(...args: Args): void {
    // A copy: iterating over the set would not end for a listener that adds itself again.
    for (const entry of [...this.#entries]) if (this.#entries.has(entry)) void this.#call(entry.listener, args);
  }

  async #call(listener: (...args: Args) => unknown, args: Args): Promise<void> {
    try {
      await listener(...args);
    } catch (error) {
      notify(this.#onError, error);
    }
  }
}
